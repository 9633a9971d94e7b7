namespace PerfCommon.Domains;

/// <summary>The stream ids of our programs; consumers count up from 1, non-interactive providers down from -1.</summary>
internal static class StreamIds // wire/domains 1
{
    public const int Login = 1; // used by either side

    // streams that a consumer opens; item k of a connection is the first plus k
    public const int Directory = 2;
    public const int FieldDictionary = 3;
    public const int EnumDictionary = 4;
    public const int Batch = 5; // of all items together: their streams follow it
    public const int FirstItem = 6;

    // streams that a non-interactive provider publishes; item k of a connection is the first minus k
    public const int PublishedDirectory = -1;
    public const int FirstPublishedItem = -6;
}
