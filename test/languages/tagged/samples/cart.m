#import "Cart.h"
#define MAX 10
// A cart.
@interface Cart : NSObject <Store>
@property (nonatomic) NSInteger total;
- (void)add:(Item *)item to:(NSArray *)list;
+ (instancetype)cart;
@end
@protocol Store
- (void)insert:(int)x;
@end
@implementation Cart
/** Adds one. */
- (void)add:(Item *)item to:(NSArray *)list {
  [self insert:item];
  [[Store shared] persist:item withName:@"x"];
  helper(item);
}
+ (instancetype)cart { return [[Cart alloc] init]; }
@end
@implementation Cart (Extra)
- (int)size { return 1; }
@end
static int helper(Item *x) { return compute(x); }
typedef struct { int a; } Point;
struct Box { int b; };
enum Kind { A, B };
NS_ASSUME_NONNULL_BEGIN
@interface Shelf () {
    int _count;
}
- (void)open;
@end
typedef NS_ENUM(NSInteger, ShelfState) {
  ShelfOpen,
};
EXPMatcherImplementationBegin(beOpen, (id expected)) {
  match(^BOOL { return expected; });
}
EXPMatcherImplementationEnd
NS_ASSUME_NONNULL_END
SpecBegin(Cart) {
    __strong Cart *cart;
}
