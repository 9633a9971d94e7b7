namespace PerfCommon.MsgData;

/// <summary>What a text of a message file turned out to be.</summary>
internal enum TextResult : byte
{
    /// <summary>The text is a value of the type asked for.</summary>
    Value,

    /// <summary>The text stands for "no value"; it travels as a zero-length entry.</summary>
    Blank,

    /// <summary>The text is not of the type asked for, or its number does not fit.</summary>
    Invalid,
}
