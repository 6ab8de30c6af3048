#!/usr/bin/env ruby
require "optparse"
require "almanac"

options = { weeks: 2 }
OptionParser.new do |parser|
  parser.on("--weeks N", Integer) { |n| options[:weeks] = n }
  parser.on("--ical") { options[:ical] = true }
end.parse!

garden = Almanac.load(ARGV.fetch(0))
calendar = Almanac::Calendar.new(garden, weeks: options[:weeks])
puts options[:ical] ? calendar.to_ical : calendar.to_s
