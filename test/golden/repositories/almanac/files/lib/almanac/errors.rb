module Almanac
  class Error < StandardError; end

  # A line of a garden's file that says nothing.
  class ParseError < Error
    attr_reader :number

    def initialize(number, line)
      @number = number
      super("line #{number}: #{line.inspect} is no task")
    end
  end

  UnknownRecurrence = Class.new(Error)
end
