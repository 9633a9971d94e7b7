namespace PerfCommon.Codec;

/// <summary>What a posting user may do.</summary>
internal static class PostUserRights
{
    /// <summary>Nothing.</summary>
    public const int None = 0;

    /// <summary>May create records.</summary>
    public const int Create = 1;

    /// <summary>May delete records.</summary>
    public const int Delete = 2;

    /// <summary>May change permission data.</summary>
    public const int ModifyPerm = 4;
}
