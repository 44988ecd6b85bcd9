import ChilCore
import ChilTestSupport
import Testing

/// JSONTestSuite: what must be read, what must be refused, and our choice where either is allowed.
struct JSONSuiteTests {
    /// Read by the suite's rule, refused by ours: two readers of such an object can see two things.
    static let refusedByContract: [String: JSONFault.Reason] = [
        "y_object_duplicated_key.json": .repeatedMember,
        "y_object_duplicated_key_and_value.json": .repeatedMember,
    ]

    enum Choice: Equatable {
        case read
        case refused(JSONFault.Reason)
    }

    static let chosen: [String: Choice] = [
        "i_number_double_huge_neg_exp.json": .read,
        "i_number_huge_exp.json": .read,
        "i_number_neg_int_huge_exp.json": .read,
        "i_number_pos_double_huge_exp.json": .read,
        "i_number_real_neg_overflow.json": .read,
        "i_number_real_pos_overflow.json": .read,
        "i_number_real_underflow.json": .read,
        "i_number_too_big_neg_int.json": .read,
        "i_number_too_big_pos_int.json": .read,
        "i_number_very_big_negative_int.json": .read,
        "i_object_key_lone_2nd_surrogate.json": .refused(.loneSurrogate),
        "i_string_1st_surrogate_but_2nd_missing.json": .refused(.loneSurrogate),
        "i_string_1st_valid_surrogate_2nd_invalid.json": .refused(.loneSurrogate),
        "i_string_UTF-16LE_with_BOM.json": .refused(.unexpectedByte),
        "i_string_UTF-8_invalid_sequence.json": .refused(.invalidUTF8),
        "i_string_UTF8_surrogate_U+D800.json": .refused(.invalidUTF8),
        "i_string_incomplete_surrogate_and_escape_valid.json": .refused(.loneSurrogate),
        "i_string_incomplete_surrogate_pair.json": .refused(.loneSurrogate),
        "i_string_incomplete_surrogates_escape_valid.json": .refused(.loneSurrogate),
        "i_string_invalid_lonely_surrogate.json": .refused(.loneSurrogate),
        "i_string_invalid_surrogate.json": .refused(.loneSurrogate),
        "i_string_invalid_utf-8.json": .refused(.invalidUTF8),
        "i_string_inverted_surrogates_U+1D11E.json": .refused(.loneSurrogate),
        "i_string_iso_latin_1.json": .refused(.invalidUTF8),
        "i_string_lone_second_surrogate.json": .refused(.loneSurrogate),
        "i_string_lone_utf8_continuation_byte.json": .refused(.invalidUTF8),
        "i_string_not_in_unicode_range.json": .refused(.invalidUTF8),
        "i_string_overlong_sequence_2_bytes.json": .refused(.invalidUTF8),
        "i_string_overlong_sequence_6_bytes.json": .refused(.invalidUTF8),
        "i_string_overlong_sequence_6_bytes_null.json": .refused(.invalidUTF8),
        "i_string_truncated-utf-8.json": .refused(.invalidUTF8),
        "i_string_utf16BE_no_BOM.json": .refused(.unexpectedByte),
        "i_string_utf16LE_no_BOM.json": .refused(.unexpectedByte),
        "i_structure_500_nested_arrays.json": .refused(.tooDeep(depthMax: 32)),
        "i_structure_UTF-8_BOM_empty_object.json": .refused(.byteOrderMark),
    ]

    static let limits = JSONLimits(bytesMax: 1 << 20)

    @Test
    func everyFileHasItsVerdict() throws {
        var counts: [Character: Int] = [:]
        for name in try Vectors.names(in: "json/test_parsing") {
            let bytes = try Vectors.bytes("json/test_parsing/\(name)")
            let reason = Self.reason(bytes)
            counts[name.first!, default: 0] += 1
            switch name.first {
            case "y": #expect(reason == Self.refusedByContract[name], "\(name)")
            case "n": #expect(reason != nil, "\(name) must be refused")
            default:
                let choice = try #require(Self.chosen[name], "\(name) has no choice: add it to the table")
                #expect(reason.map(Choice.refused) ?? .read == choice, "\(name)")
            }
        }
        #expect(counts == ["y": 95, "n": 188, "i": 35])
    }

    /// JSONTestSuite's transformations: the verdict, and no crash on asking for numbers.
    @Test
    func transformationsKeepOrRefuse() throws {
        for name in try Vectors.names(in: "json/test_transform") {
            let bytes = try Vectors.bytes("json/test_transform/\(name)")
            if name.hasPrefix("object_same_key") {
                #expect(Self.reason(bytes) == .repeatedMember, "\(name)")
            } else if name.contains("escaped_invalid_codepoint") {
                #expect(Self.reason(bytes) == .loneSurrogate, "\(name)")
            } else if name.contains("invalid_codepoint") {
                #expect(Self.reason(bytes) == .invalidUTF8, "\(name)")
            } else {
                #expect(Self.reason(bytes) == nil, "\(name)")
            }
        }
    }

    private static func reason(_ bytes: [UInt8]) -> JSONFault.Reason? {
        do throws(JSONFault) {
            _ = try StrictJSON.parse(bytes, limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }
}
