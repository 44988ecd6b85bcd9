import ChilAuth
import Testing

@Suite struct DeletionReceiptTests {
    @Test func aReceiptIsReadBack() throws {
        let receipt = try DeletionReceipt()
        #expect(receipt.text.hasPrefix("chl_dr_") && receipt.text.utf8.count == 34)
        #expect(DeletionReceipt(parsing: receipt.text) == receipt)
        #expect(DeletionReceipt(parsing: receipt.text)?.digest == receipt.digest && receipt.digest.count == 32)
        #expect(try DeletionReceipt() != receipt)
        #expect("\(receipt)" == "[deletion receipt]")
    }

    @Test func whatIsChangedIsNone() throws {
        let text = try DeletionReceipt().text
        for index in text.indices {
            for letter in ["A", "B", "-", "=", "é"] where String(text[index]) != letter {
                var changed = text
                changed.replaceSubrange(index...index, with: letter)
                #expect(DeletionReceipt(parsing: changed) == nil, "\(changed)")
            }
        }
        for bad in ["", "chl_dr_", text + "A", String(text.dropLast()), " " + text, text.uppercased()] {
            #expect(DeletionReceipt(parsing: bad) == nil, "\(bad)")
        }
    }
}
