# frozen_string_literal: true

require 'json'

# A shop.
# It sells.
module Shop
  VERSION = '1'

  module Inner; LIMIT = 1; end

  # A cart.
  class Cart < Base::Model
    include Comparable

    attr_accessor :items

    has_many :things do
      def extra; end
    end

    # Makes one.
    def initialize(
      items,
      limit: 10
    )
      @items = items
    end

    def self.create(items) = new(items)

    class << self
      def make
        new([])
      end

      private

      def hidden; end
    end

    def ==(other) = true
    def [](at) = @items[at]
    def total=(cents)
      @total = cents
    rescue ArgumentError
      nil
    ensure
      freeze
    end

    def empty? = @items.empty?

    private def secret
      sql = <<~SQL
        def not_one; end
      SQL
      def inner; end
      sql
    end

    define_method(:dynamic) do |x|
      x
    end
    define_method("named") { |x| x }

    Point = Struct.new(:x, :y) do
      def far?; end
    end

    scope :active, -> { where(active: true) }
  end

  class Error < StandardError; end
end

class Shop::Cart::Item
  def price; end
end

class ::Top; end

def helper(a, b) a end

def helper.single; end

handler = ->(x) { x }

RSpec.describe Shop do
  it('adds') { expect(1).to eq 1 }
end

__END__
def no_more; end
