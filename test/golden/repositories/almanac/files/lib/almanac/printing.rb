module Almanac
  # What can be printed.
  module Printable
    def heading
      "almanac"
    end
  end

  class Sheet
    prepend Printable

    def self.standard
      new
    end

    def print(width)
      "-" * width
    end

    def copy = dup
  end

  class Label
    extend Printable

    def print(width)
      heading_of(width)
    end

    def ready?
      true
    end

    def heading_of(width)
      width.to_s
    end
  end

  class Printer
    attr_reader :sheet
    attr_accessor :label

    def initialize(garden, sheet = Sheet.new, width: 3, **options, &block)
      @garden = garden
      @sheet = sheet
      @label = Almanac::Label.new
      @cover ||= Sheet.new
      @spare = @cover
      @standard = Sheet.standard
      @options, @block = options, block
    end

    def run(*tasks)
      made = Sheet.new
      text = made.print(1)
      same = made
      text += same.print(2)
      copied = made.copy
      text << copied.print(3) << @label.print(4) << @cover.print(5)
      text << @spare.print(6) << @standard.print(7)
      label&.print(8)
      kind = Label
      kind.heading
      first, second = margin, gutter
      text << "#{margin} #{first}" if margin
      text << (gutter + second) unless gutter
      return text if ready
      text << gutter if ready
      tasks.each { |task| text << task.to_s }
      for task in tasks
        due(task)
      end
      trim = ->(word) { word[0, 3] }
      trim.call(margin)
      if ready then margin else gutter end
      widths = [margin, gutter].map(&:size)
      [[1, 2]].each { |(left, right)| text << made.print(left + right) }
      finish text, widths
    rescue ParseError => e
      text << e.number.to_s
    rescue Error, UnknownRecurrence => failure
      text << failure.message
    end

    def margin
      "  "
    end

    def gutter
      " "
    end

    protected

    def ready
      label.ready?
    end

    private

    def due(margin)
      @garden.due(margin) || gutter
    end

    def finish(text, widths)
      gutter = widths.first
      text.print(gutter) if text.is_a? Sheet
      text
    end

    alias complete finish

    def self.for(garden)
      new(garden).tap(&:run)
    end
  end

  Report = Struct.new(:printer) do
    def to_s = printer.run
  end
end
