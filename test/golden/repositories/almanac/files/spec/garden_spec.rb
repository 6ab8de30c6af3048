require "almanac"

RSpec.describe Almanac::Garden do
  let(:garden) { described_class.from_lines(["[south]", "Tomato: water weekly 1"]) }

  describe "#each" do
    it "has the tasks of all beds" do
      expect(garden.map(&:to_s)).to eq ["water Tomato"]
    end
  end

  it "skips lines that it cannot read" do
    Almanac.logger = ->(_) {}
    expect(described_class.from_lines(["[a]", "???"]).to_a).to be_empty
  end
end
