require "almanac"

RSpec.describe Almanac::Recurrence::Yearly do
  subject(:yearly) { described_class.new("03-15") }

  it "comes in the next year when it is over" do
    expect(yearly.after(Date.new(2024, 5, 1))).to eq Date.new(2025, 3, 15)
  end
end

RSpec.describe Almanac::Recurrence::Weekly do
  it "counts from its start" do
    weekly = described_class.new(2, Date.new(2024, 1, 1))
    expect(weekly.after(Date.new(2024, 1, 3))).to eq Date.new(2024, 1, 15)
  end
end
