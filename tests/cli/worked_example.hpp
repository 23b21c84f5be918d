#pragma once

namespace xorloom::test {

/// The worked example of the paper the project begins with.
inline constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";

}  // namespace xorloom::test
