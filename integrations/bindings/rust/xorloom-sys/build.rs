//! Asks pkg-config for the library. XORLOOM_RS_STATIC=1 links its archive, and what that needs.

use std::process::Command;

fn pkg_config(arguments: &[&str]) -> String {
    let mut command = Command::new("pkg-config");
    let output =
        command.args(arguments).arg("xorloom").output().expect("pkg-config is not installed");
    if !output.status.success() {
        panic!("pkg-config finds no xorloom: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-env-changed=XORLOOM_RS_STATIC");
    let archive = std::env::var_os("XORLOOM_RS_STATIC").is_some();
    let arguments: &[&str] = if archive { &["--static", "--libs"] } else { &["--libs"] };
    for word in pkg_config(arguments).split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if archive && word == "-lxorloom" {
            // rustc looks for archives in named folders alone, and pkg-config names no /usr/lib.
            println!("cargo:rustc-link-search=native={}", pkg_config(&["--variable=libdir"]));
            println!("cargo:rustc-link-lib=static=xorloom");
        } else if let Some(library) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={library}");
        }
    }
}
