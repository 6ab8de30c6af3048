require "forwardable"

module Almanac
  class Garden
    include Enumerable

    Bed = Struct.new(:name, :tasks) do
      def plants
        tasks.map(&:plant).uniq
      end
    end

    def self.from_lines(lines)
      garden = new
      lines.each.with_index(1) do |line, number|
        next if line.strip.empty?

        if line.start_with?("[")
          garden.bed(line[1..-2])
        else
          garden << Task.parse(line, number)
        end
      rescue ParseError => e
        Almanac.logger.call(e.message)
      end
      garden
    end

    def initialize
      @beds = []
    end

    def bed(name)
      @beds << Bed.new(name, [])
      self
    end

    def <<(task)
      @beds.last.tasks << task
      self
    end

    def each(&block)
      @beds.flat_map(&:tasks).each(&block)
    end

    def due(day)
      select { |task| task.due?(day) }
    end

    def [](name)
      @beds.find { |bed| bed.name == name }
    end
  end
end
