{-# LANGUAGE GADTs #-}
-- | A module.
module Shop.Cart (add, Cart(..)) where

import Data.List (sort)

-- | A cart.
data Cart a = Cart { items :: [a], name :: String } | Empty
  deriving (Show)
newtype Id = Id { unId :: Int }
type Alias = Int

-- | Adds one.
add :: Item -> Cart Item -> Cart Item
add x Empty = helper x
add x (Cart is n) = Cart (insert x is) n
  where insert a b = a : b

total :: Cart a -> Int
total = length . items
(<+>) :: Int -> Int -> Int
a <+> b = a + b
class Store s where
  persist :: s -> IO ()
  persist _ = pure ()
instance Store (Cart a) where
  persist c = do
    print (total c)
    save c
main :: IO ()
main = do
  args <- getArgs
  run $ parse args
data Term a where
  Lit :: Int -> Term Int
type family F a where
  F Int = Bool
type instance Elem Int = Bool
type a :*: b = (a, b)
pattern Single :: a -> [a]
pattern Single x = [x]
foreign import ccall "total" c_total :: Int -> Int
#if MIN_VERSION_base(4,9,0)
import Data.Map (Map)
-- | Packs it.
pack :: Int -> Int
pack = id
#else
import Data.HashMap
  (HashMap)
-- | Packs it again.
pack :: Int -> Int
pack = id
unpack :: Int
#endif
parts :: Int -> Int
parts x = case x of
#if SMALL
  1 -> 2
#else
  2 -> 3
#endif
  _ -> 4
