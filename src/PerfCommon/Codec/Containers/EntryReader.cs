namespace PerfCommon.Codec;

/// <summary>Steps through the counted entries of one container; the container's reader knows the layout of an entry.</summary>
/// <remarks>
/// All readers of containers have this in common: they are opened on exactly the bytes of the container, borrow them, do not copy,
/// and throw on no input. Opening returns Success, NoData for an empty range, Incomplete or Invalid; then there are no entries unless it is
/// Success. Reading the next entry returns Success, EndOfContainer, or Incomplete or Invalid at the first bad one and on every later call
/// too; the entry is default unless it is Success.
/// </remarks>
/// <param name="head">Positioned after the head of the container.</param>
/// <param name="count">Entries that the head announces.</param>
internal ref struct EntryReader(RwfReader head, int count)
{
    /// <summary>The reader positioned at the next member of an entry.</summary>
    public RwfReader Bytes = head;

    private int _left = count;

    /// <summary>Number of entries the container claims to have.</summary>
    public readonly int Count { get; } = count;

    /// <summary>Begins an entry; false at the end, or when an entry before it was bad.</summary>
    public readonly bool TryBegin(out DecodeResult result)
    {
        result = Bytes.Good && _left == 0 ? DecodeResult.EndOfContainer : Bytes.Result; // wire/rwf 9.1
        return result == DecodeResult.Success;
    }

    /// <summary>Ends an entry whose members were read; false when they could not be read.</summary>
    public bool TryEnd(out DecodeResult result)
    {
        result = Bytes.Result;
        _left--;
        return result == DecodeResult.Success;
    }
}
