module Almanac
  module Recurrence
    # Once a year, on a day such as 03-15.
    class Yearly < Base
      def initialize(day)
        super()
        @month, @day = day.split("-").map(&:to_i)
      end

      def after(day)
        this_year = in_year(day.year)
        this_year > day ? this_year : in_year(day.year + 1)
      end

      private

      def in_year(year)
        Date.new(year, @month, @day)
      end
    end
  end
end
