#pragma once
#include <memory>

SHOP_BEGIN_NAMESPACE
namespace shop::base {

class Forward;

/// What can be sold.
template <typename T, int N = 3>
class SHOP_API Shelf final : public Base<T>, private ns::Other {
 public:
  Shelf() = default;
  explicit Shelf(int size) : size_(size) {}
  ~Shelf();
  Shelf(const Shelf&) = delete;

  // Its size.
  int size() const SHOP_NOEXCEPT { return size_; }
  template <typename U>
  U as() {
    return U(size_);
  }
  operator bool() const { return size_ > 0; }
  bool operator==(const Shelf& other) const { return true; }
  int operator()(int a) { return a; }
  T& operator[](int i) { return items_[i]; }
  friend void swap(Shelf& a, Shelf& b) {}
  static const char* name() { return "shelf"; }
  virtual void pure() = 0;

  struct Slot {
    int at;
    void clear() { at = 0; }
  };
  enum class Kind { kOpen };

 private:
  std::unique_ptr<T> items_;
  int size_;
};

template <typename T, int N>
Shelf<T, N>::~Shelf() {
  clear();
}

namespace {
int hidden() { return 1; }
}  // namespace

inline namespace v2 {
int versioned() { return 2; }
}

}  // namespace shop::base

namespace shop {
template <typename T>
T& base::Shelf<T>::Slot::get(T* out) const {
  return *out;
}
base::Shelf<int>::operator bool() const { return false; }
std::ostream& operator<<(std::ostream& out, const Forward& f) { return out; }
template <> void special<int>() {}
auto trailing(int a) -> decltype(a) { return a; }
Cart::Cart(int a)
    : a_(a), b_{2} {
}
}  // namespace shop

extern "C" {
void exported() {}
}

extern "C" int single(void) { return 1; }

struct Plain { int a; } plain;
union Either { int a; float b; };

int with_lambda() {
  struct Local { void method() {} };
  auto f = [](int a) { return a; };
  return f(1);
}

TEST(ShelfTest, IsEmpty) {
  Shelf shelf;
}

TEST_F(ShelfTest, IsFull) {
}

BENCHMARK_MAIN(fast) {}
SHOP_END_NAMESPACE
