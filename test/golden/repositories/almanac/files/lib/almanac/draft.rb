module Almanac
  # Not finished yet.
  class Draft
    def moon(day
      phase = (day.yday % 29
    end

    def wane?(day)
      moon(day) > 14
    end
  end
end
