# A bucket.
resource "aws_s3_bucket" "logs" {
  bucket = var.name
  tags   = merge(local.tags, { a = 1 })
  lifecycle {
    prevent_destroy = true
  }
}
variable "name" {
  type = string
}
data "aws_ami" "ubuntu" {}
module "vpc" { source = "./vpc" }
output "id" { value = aws_s3_bucket.logs.id }
locals {
  tags = {}
}
provider "aws" { region = "x" }
terraform { required_version = ">= 1" }
