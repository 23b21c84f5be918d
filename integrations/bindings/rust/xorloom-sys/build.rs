//! Asks pkg-config for the library. XORLOOM_RS_STATIC=1 links what a static library needs, too.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-env-changed=XORLOOM_RS_STATIC");
    let mut command = Command::new("pkg-config");
    command.args(["--libs", "xorloom"]);
    if std::env::var_os("XORLOOM_RS_STATIC").is_some() {
        command.arg("--static");
    }
    let output = command.output().expect("pkg-config is not installed");
    if !output.status.success() {
        panic!("pkg-config finds no xorloom: {}", String::from_utf8_lossy(&output.stderr));
    }
    for word in String::from_utf8_lossy(&output.stdout).split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(library) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={library}");
        }
    }
}
