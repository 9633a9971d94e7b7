using PerfCommon.Domains;

namespace PerfCommon.Tests.MsgData;

/// <summary>Texts of small message files, and a dictionary with one field of every type.</summary>
internal static class MessageFile
{
    private const string Fields =
        """
        PROD_PERM "n" 1     NULL INTEGER      5 UINT 2
        BID       "n" 22    NULL PRICE       17 REAL 7
        A_DATE    "n" 16    NULL DATE        11 DATE 4
        A_TIME    "n" 18    NULL TIME         5 TIME 5
        A_ENUM    "n" 4     NULL ENUMERATED   3 ( 3 ) ENUM 1
        A_RMTES   "n" 3     NULL ALPHANUMERIC 16 RMTES_STRING 16
        A_INT     "n" -1    NULL INTEGER      5 INT 8
        A_FLOAT   "n" -2    NULL INTEGER      5 FLOAT 4
        A_DOUBLE  "n" -3    NULL INTEGER      5 DOUBLE 8
        A_MOMENT  "n" -4    NULL DATE         5 DATETIME 12
        A_QOS     "n" -5    NULL BINARY       5 QOS 5
        A_STATE   "n" -6    NULL BINARY       5 STATE 5
        A_BUFFER  "n" -7    NULL BINARY       5 BUFFER 5
        A_ASCII   "n" -8    NULL ALPHANUMERIC 5 ASCII_STRING 5
        A_UTF8    "n" -9    NULL ALPHANUMERIC 5 UTF8_STRING 5
        A_LIST    "n" -10   NULL BINARY       5 ELEMENT_LIST 5
        TIM_TRK_1 "n" 3902  NULL INTEGER      5 UINT 8
        TIM_TRK_3 "n" 3904  NULL INTEGER      5 UINT 8
        """;

    public static FieldDictionary Dictionary { get; } = ReadDictionary();

    public static string Bid(string data) => $"<fieldEntry fieldId=\"22\" dataType=\"RSSL_DT_REAL\" data=\"{data}\"/>";

    /// <summary>A file with a refresh in line 3, an update in line 4, and the rest from line 5.</summary>
    public static string Of(string? refresh = null, string[]? updates = null, string[]? posts = null, string[]? generics = null,
        string more = "")
    {
        IEnumerable<string> messages =
        [
            Message("refreshMsg", refresh ?? Bid("104.25")),
            .. (updates ?? [Bid("104.5")]).Select(fields => Message("updateMsg", fields)),
            .. (posts ?? []).Select(fields => $"<postMsg>{Message("updateMsg", fields)}</postMsg>"),
            .. (generics ?? []).Select(fields => Message("genMsg", fields)),
        ];
        return $"<msgFormat>\n<marketPriceMsgList>\n{string.Join('\n', messages)}\n{more}\n</marketPriceMsgList>\n</msgFormat>";
    }

    private static string Message(string element, string fields) =>
        $"<{element}><dataBody><fieldList>{fields}</fieldList></dataBody></{element}>";

    private static FieldDictionary ReadDictionary()
    {
        FieldDictionaryBuilder builder = new();
        new FieldDictionaryFile(builder).Read(new StringReader(Fields), "fields");
        return builder.Build();
    }
}
