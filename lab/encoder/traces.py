"""What runtimes other than Python's print when something fails, made up for chunks of their languages."""

import os

_ENDINGS = ["", "", "null", "invalid value", "unexpected token", "not found", "index out of range", "already closed"]


class Runtime:
    """One language's traces.

    errors: how its errors are called. versions: what its users tell of their machines. frame: the lines of a frame, of
    (place from 0, path, qualified name, line). opening: what stands before the frames, of the error's name and message.
    """

    def __init__(self, errors, versions, frame, opening="{error}: {message}"):
        self.errors, self.versions, self.frame, self.opening = errors, versions, frame, opening

    def trace(self, frames, rng):
        """The lines of a trace. frames: (path, qualified name), the innermost first."""
        prefix = rng.choice(["", "", "/home/user/", "/app/", "./"])
        message = {"error": rng.choice(self.errors), "message": rng.choice(_ENDINGS)}
        lines = [self.opening.format(**message)]
        for place, (path, name) in enumerate(frames):
            lines += self.frame(place, prefix + path, name, rng.randint(10, 1500))
        return lines


def _last(name):
    return name.rsplit(".", 1)[-1]


def _jvm(place, path, name, line):
    folder, file = os.path.split(path)
    package = folder.split("/java/")[-1].split("/kotlin/")[-1].strip("./").replace("/", ".")
    owner = name if "." in name else f"{os.path.splitext(file)[0]}.{name}"
    return [f"\tat {package}.{owner}({file}:{line})"]


def _javascript(place, path, name, line):
    return [f"    at {name} ({path}:{line}:{line % 60 + 1})"]


def _go(place, path, name, line):
    return [f"{os.path.dirname(path)}.{name}(0xc0000{line:05x})", f"\t{path}:{line} +0x{line:x}"]


def _rust(place, path, name, line):
    return [f"  {place:>2}: {name.replace('.', '::')}", f"             at {path}:{line}:{line % 60 + 1}"]


def _csharp(place, path, name, line):
    return [f"   at {os.path.dirname(path).strip('./').replace('/', '.')}.{name}() in {path}:line {line}"]


def _ruby(place, path, name, line):
    return [f"{'' if place == 0 else chr(9) + 'from '}{path}:{line}:in `{_last(name)}'"]


def _php(place, path, name, line):
    return [f"#{place} {path}({line}): {name.replace('.', '->')}()"]


def _native(place, path, name, line):
    return [f"#{place}  0x00007f{line * 7919 % 0xFFFFFF:06x} in {name.replace('.', '::')} () at {path}:{line}"]


_JVM_ERRORS = [
    "java.lang.NullPointerException", "java.lang.IllegalArgumentException", "java.lang.IllegalStateException",
    "java.lang.ClassCastException", "java.io.IOException", "java.lang.UnsupportedOperationException",
    "java.util.NoSuchElementException", "java.lang.IndexOutOfBoundsException", "java.util.concurrent.TimeoutException",
]
_JAVA = Runtime(_JVM_ERRORS, ["openjdk version 17.0.9", "Java 8", "JDK 11", "Maven 3.8.6"], _jvm, 'Exception in thread "main" {error}: {message}')
_KOTLIN = Runtime(_JVM_ERRORS, ["Kotlin 1.9.10", "JDK 17", "Gradle 8.2", "Android 13"], _jvm, "{error}: {message}")
_JAVASCRIPT = Runtime(
    ["TypeError", "ReferenceError", "RangeError", "SyntaxError", "Error", "AssertionError", "UnhandledPromiseRejection"],
    ["Node v18.17.0", "npm 9.6.7", "Chrome 115", "TypeScript 5.1.6", "Node.js 20"], _javascript,
)
_GO = Runtime(
    ["runtime error: invalid memory address or nil pointer dereference", "runtime error: index out of range", "assignment to entry in nil map", "send on closed channel"],
    ["go version go1.20.6 linux/amd64", "go1.18 darwin/arm64", "GOOS=linux"], _go, "panic: {error}\n\ngoroutine 1 [running]:",
)
_RUST = Runtime(
    ["called `Option::unwrap()` on a `None` value", "called `Result::unwrap()` on an `Err` value", "attempt to subtract with overflow", "index out of bounds"],
    ["rustc 1.71.0", "cargo 1.70.0", "stable-x86_64-unknown-linux-gnu"], _rust, "thread 'main' panicked at '{error}'\nstack backtrace:",
)
_CSHARP = Runtime(
    ["System.NullReferenceException", "System.ArgumentException", "System.InvalidOperationException", "System.ArgumentNullException", "System.InvalidCastException", "System.NotSupportedException"],
    [".NET 6.0.20", ".NET Framework 4.8", "Visual Studio 2022", "netstandard2.0"], _csharp, "Unhandled exception. {error}: {message}",
)
_RUBY = Runtime(
    ["NoMethodError", "ArgumentError", "TypeError", "NameError", "KeyError", "RuntimeError", "Encoding::UndefinedConversionError"],
    ["ruby 3.1.2p20", "Rails 7.0.4", "Bundler 2.4.13", "jruby 9.4"], _ruby,
)
_PHP = Runtime(
    ["TypeError", "ErrorException", "InvalidArgumentException", "RuntimeException", "LogicException", "ArgumentCountError"],
    ["PHP 8.1.2", "PHP 7.4.33", "Composer 2.5.8"], _php, "PHP Fatal error:  Uncaught {error}: {message}\nStack trace:",
)
_NATIVE = Runtime(
    ["Segmentation fault (core dumped)", "AddressSanitizer: heap-buffer-overflow", "AddressSanitizer: heap-use-after-free", "Assertion failed", "Program received signal SIGABRT, Aborted."],
    ["gcc 12.2.0", "clang 15.0.7", "cmake 3.25.1", "glibc 2.36", "MSVC 19.34"], _native, "{error}",
)

_BY_ENDING = {
    ".java": _JAVA, ".kt": _KOTLIN, ".kts": _KOTLIN, ".go": _GO, ".rs": _RUST, ".cs": _CSHARP, ".rb": _RUBY, ".php": _PHP,
    **dict.fromkeys([".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"], _JAVASCRIPT),
    **dict.fromkeys([".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp"], _NATIVE),
}


def runtime_of(path):
    """The Runtime of a source file; None for Python's and for files of no known language."""
    return _BY_ENDING.get(os.path.splitext(path)[1].lower())
