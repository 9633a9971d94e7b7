using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The fields that carry time stamps for latency, always UINT and always last in the list.</summary>
internal static class StampFields
{
    /// <summary>TIM_TRK_1: when a provider began with an update.</summary>
    public const short Update = 3902;

    /// <summary>TIM_TRK_2: when a consumer began with a post.</summary>
    public const short Post = 3903;

    /// <summary>TIM_TRK_3: when either side began with a generic message.</summary>
    public const short Generic = 3904;

    /// <summary>The lowest of the three; their ids are consecutive.</summary>
    public const short First = Update;

    /// <summary>Number of stamp fields.</summary>
    public const int Count = Generic - First + 1;

    /// <summary>Place of <see cref="Update"/> among the three, counted from 0.</summary>
    public const int UpdateIndex = Update - First;

    /// <summary>Place of <see cref="Post"/> among the three.</summary>
    public const int PostIndex = Post - First;

    /// <summary>Place of <see cref="Generic"/> among the three.</summary>
    public const int GenericIndex = Generic - First;

    /// <summary>Most bytes of a stamp in a field list: id, length and a 64-bit number.</summary>
    public const int MaxFieldBytes = BlankFieldBytes + sizeof(ulong);

    /// <summary>Bytes of what <see cref="WriteBlanks"/> writes.</summary>
    public const int BlankBytes = Count * BlankFieldBytes;

    // id | length
    private const int BlankFieldBytes = sizeof(short) + 1;

    /// <summary>True for one of the three.</summary>
    public static bool IsStamp(short fieldId) => (uint)(fieldId - First) < Count;

    /// <summary>Writes all three without a value, as images carry them.</summary>
    public static void WriteBlanks(ref RwfWriter writer)
    {
        for (short fieldId = First; fieldId < First + Count; fieldId++)
        {
            writer.BeginField(fieldId);
            writer.WriteBlank();
        }
    }
}
