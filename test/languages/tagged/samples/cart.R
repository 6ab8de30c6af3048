#' Adds one.
#'
#' @export
add <- function(cart, item = 1) {
  copy <- convert(item)
  store$insert(copy)
  pkg::helper(item)
}
total = function(x) sum(x)
function(x) x -> right
print.cart <- function(x, ...) cat("cart")
`%+%` <- function(a, b) paste0(a, b)
Cart <- R6Class("Cart",
  public = list(
    items = NULL,
    initialize = function(items) { self$items <- items },
    add = function(x) { helper(x) }
  )
)
setMethod("show", "Cart", function(object) cat("x"))
setClass("Shop", representation(x = "numeric"))
setGeneric("area", function(shape) standardGeneric("area"))
short <- \(x) x + 1
x <- 1
