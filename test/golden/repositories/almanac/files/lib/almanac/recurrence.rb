require_relative "recurrence/base"
require_relative "recurrence/weekly"
require_relative "recurrence/yearly"

module Almanac
  module Recurrence
    KINDS = { "weekly" => Weekly, "yearly" => Yearly }.freeze

    # "weekly 2" is every other week.
    def self.parse(text)
      kind, *arguments = text.split
      KINDS.fetch(kind) { raise UnknownRecurrence, "no recurrence: #{kind}" }.new(*arguments)
    end
  end
end
