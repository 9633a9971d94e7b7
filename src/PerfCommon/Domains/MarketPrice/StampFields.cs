using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The fields of latency time stamps, always UINT and always last in the list. Their ids are consecutive.</summary>
internal static class StampFields // wire/domains 8
{
    public const short Update = 3902; // TIM_TRK_1: when a provider started encoding an update
    public const short Post = 3903; // TIM_TRK_2: when a consumer started encoding a post
    public const short Generic = 3904; // TIM_TRK_3: when either side started encoding a generic message

    public const short First = Update;
    public const int Count = Generic - First + 1;

    // index of each among the three
    public const int UpdateIndex = Update - First;
    public const int PostIndex = Post - First;
    public const int GenericIndex = Generic - First;

    /// <summary>Maximum bytes of a stamp in a field list: id, length and a 64-bit number.</summary>
    public const int MaxFieldBytes = sizeof(short) + 1 + sizeof(ulong);

    /// <summary>The ids of all three.</summary>
    public static IEnumerable<short> Ids => [Update, Post, Generic];

    /// <summary>True for one of the three.</summary>
    public static bool IsStamp(short fieldId) => (uint)(fieldId - First) < Count;

    /// <summary>All three as blank fields, as in images.</summary>
    public static IEnumerable<(short FieldId, DataType Type)> Blanks => // wire/domains 5.2
        Enumerable.Range(First, Count).Select(fieldId => ((short)fieldId, DataType.UInt));
}
