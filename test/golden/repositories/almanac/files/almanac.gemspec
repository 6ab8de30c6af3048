Gem::Specification.new do |spec|
  spec.name = "almanac"
  spec.version = "0.12.0"
  spec.summary = "When to sow, prune and harvest"
  spec.files = Dir["lib/**/*.rb"]
end
