module xorloom

go 1.19
