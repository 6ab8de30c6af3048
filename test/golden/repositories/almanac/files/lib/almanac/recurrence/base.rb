module Almanac
  module Recurrence
    # What comes again. Subclasses say when it comes after a day.
    class Base
      include Comparable

      def after(_day)
        raise NotImplementedError, "#{self.class} has no after"
      end

      def each_from(day)
        return enum_for(:each_from, day) unless block_given?

        loop do
          day = after(day)
          yield day
        end
      end

      def between(from, to)
        each_from(from - 1).take_while { |day| day <= to }
      end

      def <=>(other)
        after(Date.today) <=> other.after(Date.today)
      end
    end
  end
end
