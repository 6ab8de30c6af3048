(ns shop.cart
  "A namespace."
  (:require [clojure.string :as str]))

;; Adds one.
(defn add
  "Adds an item."
  [cart item]
  (let [copy (convert item)]
    (store/insert cart copy)
    (helper item)))

(defn- helper [x] (str/upper-case x))
(defn ^:private multi
  ([x] x)
  ([x y] (add x y)))
(def total 1)
(def f (fn [x] x))
(defmacro shout [x] `(println ~x))
(defmulti area :shape)
(defmethod area :square [s] (* (:side s) 2))
(defprotocol Store
  "Stores."
  (insert [this x] "Inserts.")
  (remove-all [this]))
(defrecord Cart [items]
  Store
  (insert [this x] (conj items x)))
(deftype Box [x])
(deftest adds-one (is (= 1 (add 1 2))))
(s/defn typed :- s/Int [x :- s/Int] x)
(extend-protocol Store String (insert [this x] x))
(comment (add 1 2))
(defonce state (atom {}))
#?(:clj (defn only-jvm [] 1))
