# frozen_string_literal: true

require "date"
require_relative "almanac/errors"
require_relative "almanac/recurrence"
require_relative "almanac/task"
require_relative "almanac/garden"
require_relative "almanac/calendar"

# When to do what in a garden.
module Almanac
  VERSION = "0.12.0"

  class << self
    attr_writer :logger

    def logger
      @logger ||= ->(text) { warn text }
    end

    def load(path)
      Garden.from_lines(File.readlines(path, chomp: true))
    end
  end
end
