import 'dart:async';
part of shop;

/// A cart.
/// It sells.
@immutable
abstract class Cart<T> extends Store with Logging implements Closer {
  final List<T> items;
  int _count = 0;

  /// Makes one.
  Cart(this.items, {required this.name});
  Cart.empty() : items = [];
  const Cart._(this.items);
  factory Cart.from(Map json) {
    return Cart(parse(json));
  }

  @override
  Future<bool> add(T item) async {
    final copy = Item(item);
    await store.insert(copy);
    list..add(1)..sort();
    return helper(item);
  }
  int get total => items.length;
  set total(int x) { _count = x; }
  bool operator ==(Object other) => true;
  static void make() {}
  void abstractOne();
  external int native();
}
mixin Logging on Base { void log(String s) { print(s); } }
enum Kind { a, b; void name() {} }
extension Shout on String { String shout() => toUpperCase(); }
extension type Id(int value) { int get twice => value * 2; }
typedef Callback = void Function(int);
int helper(int x) => x + 1;
void main(List<String> args) async {
  runApp(MyApp());
  void inner() {}
}
int get topGetter => 1;
set topSetter(int x) {}
var f = (int x) => x;
