package shop.cart

import scala.collection.mutable

/** A cart.
  * It sells.
  */
@deprecated
final case class Cart[T](items: List[T], name: String) extends Store with Logging {
  private val total = items.size

  // Adds one.
  @inline
  override def add(item: T)(implicit ec: ExecutionContext): Future[Unit] = {
    val copy = new Item(item)
    store.insert(copy)
    helper(item)
    items map convert
    parse[Int](1)
  }
  def size: Int = 1
  type Id = Int
}
object Cart {
  def apply(): Cart = new Cart(Nil, "")
  object Inner { def deep = 1 }
}
trait Store { def add(item: Int): Unit }
package object helpers { def top(x: Int) = x }
sealed abstract class Kind
case object Open extends Kind
enum Color:
  case Red, Green
  def hex: String = "x"
given ordering: Ordering[Int] with
  def compare(a: Int, b: Int) = a - b
extension (s: String)
  def shout: String = s.toUpperCase
def main(args: Array[String]): Unit =
  println("a")
  run(args)
val f = (x: Int) => x
class ::(a: Int) { def +(b: Int) = a + b }
