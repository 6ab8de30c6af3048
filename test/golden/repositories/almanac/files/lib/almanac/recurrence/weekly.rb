module Almanac
  module Recurrence
    class Weekly < Base
      attr_reader :weeks

      def initialize(weeks = 1, start = nil)
        super()
        @weeks = weeks.to_i
        @start = start
      end

      def after(day)
        return day + 7 * weeks unless @start

        passed = (day - @start).to_i
        @start + (passed / (7 * weeks) + 1) * 7 * weeks
      end
    end
  end
end
