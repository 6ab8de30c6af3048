<?php
namespace A\B;
class One {}

namespace C;
function two() {}
