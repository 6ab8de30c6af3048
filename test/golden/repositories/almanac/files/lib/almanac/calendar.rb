module Almanac
  # The tasks of some weeks, as text.
  class Calendar
    WEEK = 7

    def initialize(garden, from: Date.today, weeks: 2)
      @garden = garden
      @days = from...(from + weeks * WEEK)
    end

    def to_s
      @days.filter_map { |day| format_day(day) }.join("\n")
    end

    def to_ical
      events = @garden.flat_map do |task|
        task.between(@days.begin, @days.end).map { |day| event(task, day) }
      end
      ["BEGIN:VCALENDAR", *events, "END:VCALENDAR"].join("\r\n")
    end

    private

    def format_day(day)
      due = @garden.due(day)
      return if due.empty?

      "#{day.strftime("%a %d.%m.")} #{due.sort_by(&:plant).join(", ")}"
    end

    def event(task, day)
      "BEGIN:VEVENT\r\nDTSTART:#{day.strftime("%Y%m%d")}\r\nSUMMARY:#{task}\r\nEND:VEVENT"
    end
  end
end
