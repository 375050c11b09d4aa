//! A small program in each language, for tests.

use super::Language;

/// A program in each language with the number of its tokens, as the bindings for Python count
/// its leaves.
const COUNTED: [(&str, &str, u64); 16] = [
    (
        "bash",
        "if [ -f x ]; then echo \"a $b\" | cat; fi # c\nfor i in 1 2; do rm $i; done\ncat <<E\n t $x\nE\n",
        35,
    ),
    (
        "c",
        "#define N 3\nstruct s { int a, b; };\n/* c */ int f(int x, char *y) {\n  if (x > N) { g(x, \"a\\n\", 'c'); } else return y[0];\n}\n",
        54,
    ),
    (
        "cpp",
        "template <class T> struct A : B<T> { T a{1}; auto f() const -> int { return R\"(x)\"[0]; } };\n",
        40,
    ),
    ("css", "a, b > c { color: red; margin: 0 1px } /* c */\n@media screen { d::e { x: url(\"f\") } }\n", 32),
    (
        "go",
        "package a\nimport (\"fmt\"; \"os\")\nfunc f(a, b int) (x int, err error) {\n\tif a > 1 { return b, nil }\n\treturn 1, nil // c\n}\n",
        43,
    ),
    ("html", "<!DOCTYPE html>\n<html><body class=\"a\">x <b>y</b><br><!-- c --></body></html>\n", 31),
    (
        "java",
        "class A<T> extends B { @X private int a = 1; /* c */ int f(int x, T y) throws E { return \"s\\n\".length(); } }\n",
        40,
    ),
    (
        "javascript",
        "class A { x = 1; f(a, b) { return `q ${a}` + /x/g.test(\"s\"); } }\nlet {a, b} = {a: 1, b: [2, ,3]}; // c\n",
        58,
    ),
    ("json", "{\"a\": [1, 2.5, true], \"b\\n\": {\"c\": null}}\n", 26),
    ("lua", "local a, b = 1, \"x\\n y\" -- c\nfunction f(x, ...) if x then return {1, y = 2} end end\n", 30),
    ("php", "<p>x</p>\n<?php function f(int $a, $b = 1) { return \"x $a\\n\" . 's'; } // c\n", 28),
    (
        "python",
        "def f(a, b=1, *c):\n    if a < b:\n        return \"x\\n y\" + f\"q {a} \\n r\"  # c\n    return [1, 2,]\n",
        37,
    ),
    (
        "rust",
        "/// d\nfn f<T: A>(a: u8, b: T,) -> u8 { let x = S { a: 1, b }; match x { 1 | 2 => g!(\"s\\n\", a), _ => 4 } }\n",
        55,
    ),
    (
        "sql",
        "CREATE TABLE a (b INTEGER PRIMARY KEY, c TEXT); -- c\nSELECT b, count(*) FROM a WHERE c = 'x' GROUP BY b;\n",
        30,
    ),
    ("tsx", "const a = (x: P) => <A b={x.c} d=\"e\" {...x}>t <B/></A>; // c\n", 36),
    (
        "typescript",
        "interface I<T> { a: number; b?: string }\nexport const f = (a: I<number>, ...b: any[]): string | null => a.b ?? `x ${b}`; // c\n",
        50,
    ),
];

/// Those whose tokens were not counted by another program.
const OTHERS: [(&str, &str); 48] = [
    (
        "ada",
        "with Ada.Text_IO; use Ada.Text_IO;\nprocedure P (A : in Integer; B : Boolean) is\n   X : Integer := 1; -- c\nbegin\n   if A > X and B then\n      Put_Line (\"a\");\n   else\n      null;\n   end if;\nend P;\n",
    ),
    ("asm", "main:\n    mov rax, 1\n    add rax, rbx ; c\n    ret\n"),
    ("clojure", "(ns a.b (:require [c.d :as e])) ; c\n(defn f [x & y] {:a (+ x 1) \"k\" #{1 2}})\n"),
    (
        "cmake",
        "cmake_minimum_required(VERSION 3.10) # c\nif(A AND NOT B)\n  set(X \"a ${Y}\" z)\nelse()\n  message(STATUS a)\nendif()\n",
    ),
    ("commonlisp", "(defun f (x &optional y) ; c\n  (let ((a 1) (b \"s\")) (if x (+ a 2) '(b c))))\n"),
    (
        "csharp",
        "using System;\nnamespace N { class A<T> : B { [X] private int a = 1, b; /* c */ public int F(int x, T y) { if (x > 1) return a; else { G(x, \"s\\n\"); } return 0; } } }\n",
    ),
    (
        "dart",
        "import 'a.dart';\nclass A<T> extends B { final int a = 1; /* c */ int f(int x, {T? y}) { if (x > 1) { return g(x, 's'); } else { return 0; } } }\n",
    ),
    (
        "devicetree",
        "/dts-v1/;\n/ { /* c */ a: b@1 { reg = <0x1 2>, <3>; compatible = \"x\", \"y\"; c; }; };\n",
    ),
    (
        "dockerfile",
        "# c\nFROM a:1 AS b\nENV X=1 Y=\"z\"\nRUN apt-get update && make\nCOPY --from=b /a /b /c\nCMD [\"a\", \"b\"]\n",
    ),
    ("dot", "digraph g { // c\n  a [label=\"x\", color=red];\n  a -> b -> c; subgraph s { d; e }\n}\n"),
    (
        "elixir",
        "defmodule A do\n  # c\n  def f(x, y \\\\ 1) when x > 0 do\n    case g(x, [a: 1]) do\n      {:ok, z} -> \"s #{z}\"\n      _ -> nil\n    end\n  end\nend\n",
    ),
    (
        "erlang",
        "-module(a).\n-export([f/2, g/1]).\n% c\nf(X, [Y | T]) when X > 1 -> g({X, Y}), T;\nf(_, []) -> case 1 of 1 -> ok; _ -> \"s\" end.\n",
    ),
    (
        "fish",
        "# c\nfunction f -a x y\n  if test $x = 1\n    echo \"a $y\" | cat\n  else\n    set -l z 1 2\n  end\nend\n",
    ),
    (
        "fortran",
        "program p ! c\n  implicit none\n  integer :: a, b = 1\n  real, dimension(3) :: x\n  if (a > b) then\n    call f(a, b + 1)\n  else\n    print *, \"s\", x(1)\n  end if\ncontains\n  subroutine f(c, d)\n    integer, intent(in) :: c, d\n  end subroutine f\nend program p\n",
    ),
    (
        "fsharp",
        "module A\n// c\nlet f (x: int) y =\n    if x > 1 then g x \"s\"\n    else match y with\n         | 1 -> [1; 2]\n         | _ -> []\n",
    ),
    (
        "gleam",
        "import a/b.{c}\n// c\npub fn f(x: Int, y) -> Int {\n  let z = [1, 2]\n  case x {\n    1 -> g(y, \"s\")\n    _ -> z\n  }\n}\n",
    ),
    (
        "glsl",
        "#version 450\nlayout(location = 0) in vec3 a;\nuniform float b, c; // c\nvoid main() { vec4 x = vec4(a, 1.0); if (b > c) { gl_Position = x * 2.0; } else discard; }\n",
    ),
    (
        "graphql",
        "# c\nquery Q($a: Int = 1, $b: [S!]) { x(a: $a) { y z ...F } }\ntype T implements I { a(x: Int): S! @d b: [Int] }\n",
    ),
    (
        "haskell",
        "module A (f, g) where\nimport B (c, d)\n-- c\ndata T a = X a | Y { z :: Int } deriving (Show, Eq)\nf :: Int -> [a] -> Maybe a\nf x (y : _) | x > 1 = Just y\n            | otherwise = let a = 1 in g a \"s\"\nf _ [] = Nothing\n",
    ),
    (
        "hcl",
        "# c\nresource \"a\" \"b\" {\n  x = [1, var.y, \"s-${z}\"]\n  block {\n    y = { a = 1, b = true }\n  }\n}\n",
    ),
    (
        "hlsl",
        "struct B { float4x4 m; float a : A; }; // c\nfloat4 main(float3 p : POSITION, uint i : ID) : SV_Target { if (i > 1) return mul(m, float4(p, 1)); else return a; }\n",
    ),
    (
        "julia",
        "module A\nusing B: c, d # c\nstruct S{T} <: U\n    x::Int\n    y::T\nend\nfunction f(x, y = 1; z)\n    if x > y\n        return [1, 2]\n    else\n        g(\"s $x\")\n    end\nend\nend\n",
    ),
    (
        "kotlin",
        "package a\nimport b.c\n// c\nclass A<T>(val x: Int, y: T? = null) : B(), C {\n    private fun f(a: Int): Int {\n        if (a > 1) return g(a, \"s $x\") else { h() }\n        return when (a) { 1 -> 2; else -> 3 }\n    }\n}\n",
    ),
    (
        "latex",
        "\\documentclass[a4paper]{article} % c\n\\begin{document}\n\\section{A} Some \\emph{text} and $x_1 + y^2$.\n\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}\n\\end{document}\n",
    ),
    (
        "llvm",
        "target triple = \"x\"\n%s = type { i32, ptr }\n@g = global i32 1, align 4 ; c\ndefine i32 @f(i32 %a, ptr %b) {\nentry:\n  %c = add nsw i32 %a, 1\n  %d = icmp eq i32 %c, 2\n  br i1 %d, label %x, label %y\nx:\n  store i32 %c, ptr %b, align 4\n  ret i32 %c\ny:\n  %e = call i32 @f(i32 1, ptr null)\n  ret i32 %e\n}\n",
    ),
    (
        "make",
        "# c\nCC := gcc -O2\nall: a.o b.o | dir\n\t$(CC) -o $@ $^\n\techo done\nifeq ($(X),1)\nY = z\nendif\n.PHONY: all\n",
    ),
    ("markdown", "# A title\n\nSome *text* and `code`.\n\n- a\n- b\n\n```c\nint x;\n```\n\n> quote\n"),
    (
        "nix",
        "{ pkgs ? null, x, ... }: # c\nlet a = 1; b = [ x \"s ${a}\" ]; in\nif a > 1 then { inherit b; c.d = f a; } else with pkgs; y\n",
    ),
    (
        "objc",
        "#import <A/B.h>\n@interface A : B <P>\n@property (nonatomic, strong) C *c; // c\n- (int)f:(int)x with:(C *)y;\n@end\n@implementation A\n- (int)f:(int)x with:(C *)y { if (x > 1) { [y g:x h:@\"s\"]; } else return 0; return x; }\n@end\n",
    ),
    (
        "ocaml",
        "open A (* c *)\ntype 'a t = X of 'a * int | Y of { z : int; w : string }\nlet rec f x ?(y = 1) = match x with\n  | X (a, b) when b > y -> g a [1; 2]\n  | _ -> if y = 1 then \"s\" else (h (); \"t\")\n",
    ),
    (
        "pascal",
        "program P;\nuses A, B; { c }\nvar x, y: Integer;\nfunction F(a: Integer; const b: string): Boolean;\nbegin\n  if a > 1 then Result := G(a, 's') else begin x := 1; y := 2 end;\nend;\nbegin\n  F(1, 'a');\nend.\n",
    ),
    (
        "proto",
        "syntax = \"proto3\";\npackage a.b; // c\nimport \"c.proto\";\nmessage M { optional int32 x = 1 [deprecated = true]; repeated N y = 2; oneof o { string s = 3; bytes t = 4; } enum E { A = 0; B = 1; } }\nservice S { rpc F (M) returns (stream M); }\n",
    ),
    (
        "r",
        "f <- function(x, y = 1, ...) { # c\n  if (x > y) g(x, a = \"s\") else { for (i in 1:10) print(i) }\n}\n",
    ),
    ("racket", "#lang racket\n(require a b) ; c\n(define (f x [y 1]) (if (> x y) '(1 \"s\") #t))\n"),
    ("regex", "^(a|b[^c-e]+?)*(?:x{2,3})\\d$"),
    (
        "ruby",
        "require 'a' # c\nclass A < B\n  attr_reader :x, :y\n  def f(a, b = 1, *c)\n    if a > b\n      g(a, \"s #{b}\") { |z| z + 1 }\n    else\n      [1, :b, { c: 2 }]\n    end\n  end\nend\n",
    ),
    (
        "scala",
        "package a\nimport b.{C, D} // c\nclass A[T](x: Int, val y: T) extends B with C {\n  def f(a: Int, b: Int = 1): Int = {\n    if (a > b) g(a, s\"s $x\") else a match { case 1 => 2; case _ => 3 }\n  }\n}\n",
    ),
    ("scheme", "(define (f x . y) ; c\n  (let ((a 1) (b \"s\")) (if (> x a) '(b c) #t)))\n"),
    (
        "scss",
        "$a: 1px; // c\n@mixin m($x, $y: 2) { margin: $x + $y; }\n.a { &:hover { color: red; } @include m(1px, 2px); @if $a > 1 { b: c; } @else { d: e; } }\n",
    ),
    (
        "solidity",
        "pragma solidity ^0.8.0;\nimport \"a.sol\";\ncontract A is B, C {\n    uint256 public x = 1; // c\n    event E(address indexed a, uint b);\n    function f(uint a, address b) public view returns (uint, bool) { if (a > x) { g(a, b); } else revert(\"s\"); return (1, true); }\n}\n",
    ),
    (
        "souffle",
        ".decl a(x: number, y: symbol) // c\n.input a\na(1, \"s\").\nb(x, y) :- a(x, y), !c(x), x > 1.\n",
    ),
    (
        "swift",
        "import A\n// c\nclass B<T>: C, D {\n    var x: Int = 1, y: [T]?\n    func f(_ a: Int, b c: T? = nil) throws -> Int {\n        if a > x { return g(a, \"s \\(c)\") } else { switch a { case 1: h() default: break } }\n        return 0\n    }\n}\n",
    ),
    ("toml", "a = 1 # c\n[b.c]\nd = [1, 2, \"s\"]\ne = { f = true, g = 1979-05-27 }\n[[h]]\n"),
    (
        "verilog",
        "module m #(parameter W = 8) (input wire clk, input [W-1:0] a, output reg b); // c\n  wire x, y;\n  assign x = a[0] & ~y;\n  n u (.p(x), .q(y));\n  always @(posedge clk) begin\n    if (a > 1) b <= x; else b <= 1'b0;\n  end\nendmodule\n",
    ),
    (
        "vhdl",
        "library ieee;\nuse ieee.std_logic_1164.all; -- c\nentity e is\n  port (a, b : in std_logic; c : out std_logic);\nend entity e;\narchitecture r of e is\n  signal s : integer := 1;\nbegin\n  process (a, b)\n  begin\n    if a = '1' then\n      c <= b;\n    else\n      c <= '0';\n    end if;\n  end process;\nend architecture r;\n",
    ),
    (
        "wgsl",
        "struct S { @location(0) a: vec3<f32>, b: f32, } // c\n@group(0) @binding(1) var<uniform> u: S;\n@fragment\nfn f(x: S, y: i32) -> @location(0) vec4<f32> { let z = x.b * 2.0; if (y > 1) { return vec4<f32>(x.a, z); } else { z = 1.0; } return u; }\n",
    ),
    ("yaml", "# c\na: 1\nb:\n  - x\n  - {y: 2, z: [3, 4]}\nc: \"s\"\n"),
    (
        "zig",
        "const std = @import(\"std\"); // c\npub fn f(x: u8, y: []const u8) !u32 { var a: u32 = 1; if (x > 1) { return g(x, .{ .b = 1, .c = \"s\" }); } else a += 1; while (a < 2) : (a += 1) {} return a; }\nconst S = struct { a: u8 = 0, b: bool };\n",
    ),
];

/// Those that are compiled in and have their tokens counted.
pub(super) fn counted() -> impl Iterator<Item = (Language, &'static str, u64)> {
    COUNTED.into_iter().filter_map(|(name, text, tokens)| Some((Language::named(name)?, text, tokens)))
}

/// All that are compiled in.
pub fn all() -> Vec<(Language, &'static str)> {
    let others = OTHERS.into_iter().filter_map(|(name, text)| Some((Language::named(name)?, text)));
    counted().map(|(language, text, _)| (language, text)).chain(others).collect()
}
