plugins {
    kotlin("jvm") version "1.9.22"
}

group = "io.lantern"
version = "0.9.4"

dependencies {
    testImplementation(kotlin("test"))
}
