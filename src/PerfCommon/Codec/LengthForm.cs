namespace PerfCommon.Codec;

/// <summary>How a writer states the length of content that it learns only afterwards.</summary>
internal enum LengthForm : byte
{
    /// <summary>The longest form is reserved and filled in: two bytes where 32,767 is the most, three where 65,535 is. No byte is moved.</summary>
    Reserved,

    /// <summary>The shortest form; the content is moved forward when it turns out to be short.</summary>
    Shortest,
}
