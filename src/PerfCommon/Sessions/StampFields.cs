namespace PerfCommon.Sessions;

/// <summary>The fields that carry time stamps for latency, always UINT and always last in the list.</summary>
internal static class StampFields
{
    /// <summary>TIM_TRK_1: when a provider began with an update.</summary>
    public const short Update = 3902;

    /// <summary>TIM_TRK_2: when a consumer began with a post.</summary>
    public const short Post = 3903;

    /// <summary>TIM_TRK_3: when either side began with a generic message.</summary>
    public const short Generic = 3904;

    /// <summary>Number of stamp fields; their ids are consecutive.</summary>
    public const int Count = Generic - Update + 1;

    /// <summary>True for one of the three.</summary>
    public static bool IsStamp(short fieldId) => (uint)(fieldId - Update) < Count;
}
