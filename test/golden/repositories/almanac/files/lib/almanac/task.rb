module Almanac
  # Things that can be put off.
  module Postponable
    def postpone(days)
      @postponed = postponed + days
      self
    end

    def postponed
      @postponed || 0
    end
  end

  class Task
    include Postponable
    extend Forwardable

    PATTERN = /\A(?<plant>[\w ]+): (?<action>\w+) (?<recurrence>.+)\z/

    attr_reader :plant, :action, :recurrence
    attr_accessor :notes

    def_delegators :@recurrence, :after, :between

    def self.parse(line, number)
      match = PATTERN.match(line) or raise ParseError.new(number, line)
      new(match[:plant], match[:action].to_sym, Recurrence.parse(match[:recurrence]))
    end

    def initialize(plant, action, recurrence, notes: nil)
      @plant, @action, @recurrence = plant, action, recurrence
      @notes = notes
    end

    def due?(day)
      recurrence.between(day - postponed, day).any?
    end

    def to_s
      "#{action} #{plant}"
    end

    %i[sow prune water harvest].each do |name|
      define_method(:"#{name}?") { action == name }
    end
  end
end
