import Testing

@testable import ChilConsole

@Suite struct SparkTests {
    @Test(arguments: [
        ([], 10, true, ""), ([0, 0], 10, true, "  "), ([0, 8, 4, 1], 10, true, " █▄▁"), ([1, 1, 3, 1], 2, true, "▄█"),
        ([0, 8, 4, 1], 10, false, "_@=."), ([-5, 5], 10, true, " █"), ([5], 0, true, ""),
    ])
    func numbersAreBlocks(_ numbers: [Int64], _ width: Int, _ isUTF8: Bool, _ text: String) {
        #expect(Spark.text(numbers, width: width, isUTF8: isUTF8) == text)
    }
}
