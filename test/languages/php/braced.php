<?php
namespace A\B {
    class One { function f() {} }
}
namespace {
    class Two {}
}
