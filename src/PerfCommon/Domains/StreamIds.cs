namespace PerfCommon.Domains;

/// <summary>The stream ids our programs use; consumers count up from 1, non-interactive providers down from -1.</summary>
internal static class StreamIds
{
    /// <summary>Login, of either side.</summary>
    public const int Login = 1;

    /// <summary>Source directory a consumer asks for.</summary>
    public const int Directory = 2;

    /// <summary>Field dictionary a consumer asks for.</summary>
    public const int FieldDictionary = 3;

    /// <summary>Enum tables a consumer asks for.</summary>
    public const int EnumDictionary = 4;

    /// <summary>First item of a consumer; item k of a connection is this plus k.</summary>
    public const int FirstItem = 6;

    /// <summary>Source directory a non-interactive provider publishes.</summary>
    public const int PublishedDirectory = -1;

    /// <summary>First item of a non-interactive provider; item k of a connection is this minus k.</summary>
    public const int FirstPublishedItem = -6;
}
