using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The fields of latency time stamps, always UINT and always last in the list. Their ids are consecutive.</summary>
public static class StampFields // wire/domains 8
{
    /// <summary>TIM_TRK_1: when a provider started encoding an update.</summary>
    public const short Update = 3902;

    /// <summary>TIM_TRK_2: when a consumer started encoding a post.</summary>
    public const short Post = 3903;

    /// <summary>TIM_TRK_3: when either side started encoding a generic message.</summary>
    public const short Generic = 3904;

    /// <summary>The first of the three.</summary>
    public const short First = Update;

    /// <summary>Their number.</summary>
    public const int Count = Generic - First + 1;

    /// <summary>Index of <see cref="Update"/> among the three.</summary>
    public const int UpdateIndex = Update - First;

    /// <summary>Index of <see cref="Post"/> among the three.</summary>
    public const int PostIndex = Post - First;

    /// <summary>Index of <see cref="Generic"/> among the three.</summary>
    public const int GenericIndex = Generic - First;

    /// <summary>Maximum bytes of a stamp in a field list: id, length and a 64-bit number.</summary>
    internal const int MaxFieldBytes = sizeof(short) + 1 + sizeof(ulong);

    /// <summary>The ids of all three.</summary>
    internal static IEnumerable<short> Ids => [Update, Post, Generic];

    /// <summary>True for one of the three.</summary>
    internal static bool IsStamp(short fieldId) => (uint)(fieldId - First) < Count;

    /// <summary>All three as blank fields, as in images.</summary>
    internal static IEnumerable<(short FieldId, DataType Type)> Blanks => // wire/domains 5.2
        Enumerable.Range(First, Count).Select(fieldId => ((short)fieldId, DataType.UInt));
}
