using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Unicode;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>The items of a run in the order of their file: names as bytes, and the uses of each.</summary>
/// <remarks>All names are in one array: 100,000 items need about 1.4 MB. Immutable, so threads may share it.</remarks>
[DebuggerDisplay("{Count} items")]
public sealed class ItemList
{
    /// <summary>Longest name of an item in bytes of UTF-8.</summary>
    public const int MaxNameBytes = 255;

    private readonly byte[] _names;
    private readonly int[] _nameEnds;
    private readonly ItemFlags[] _flags;

    private ItemList(byte[] names, int[] nameEnds, ItemFlags[] flags)
    {
        _names = names;
        _nameEnds = nameEnds;
        _flags = flags;
        PostCount = CountOf(ItemFlags.Post);
        GenMsgCount = CountOf(ItemFlags.GenMsg);
    }

    /// <summary>Number of items.</summary>
    public int Count => _flags.Length;

    /// <summary>Number of items that may be posted to.</summary>
    public int PostCount { get; }

    /// <summary>Number of items that receive generic messages.</summary>
    public int GenMsgCount { get; }

    /// <summary>True when a market-by-order item has all of the given uses.</summary>
    public bool HasOrderBooks(ItemFlags usedFor = ItemFlags.None) =>
        Array.Exists(_flags, flags => (flags & ItemFlags.MarketByOrder) != 0 && (flags & usedFor) == usedFor);

    /// <summary>Reads the first <paramref name="count"/> items of a file; the rest is not read.</summary>
    /// <param name="path">The file; a bare name is searched in the working directory and in the folder of the program.</param>
    /// <param name="count">Items needed, 0 or more.</param>
    /// <exception cref="SetupException">No such file, an error in it (with line and item number), or too few items.</exception>
    public static ItemList Load(string path, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        using XmlInput input = XmlInput.Open(InputFile.Find(path));
        return ItemListReader.Read(input, count);
    }

    /// <summary>Reads the first <paramref name="count"/> items of a stream, which stays open.</summary>
    /// <param name="stream">A text in the format of the file.</param>
    /// <param name="name">Name in error messages.</param>
    /// <param name="count">Items needed, 0 or more.</param>
    /// <exception cref="SetupException">An error in the text (with line and item number), or too few items.</exception>
    public static ItemList Load(Stream stream, string name, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        using XmlInput input = XmlInput.Open(stream, name);
        return ItemListReader.Read(input, count);
    }

    /// <summary>Creates a list of items with the same uses.</summary>
    /// <param name="names">Their names, 1 to 255 bytes of UTF-8 each.</param>
    /// <param name="flags">Uses of each besides its updates.</param>
    /// <exception cref="ArgumentException">A name is empty or too long.</exception>
    public static ItemList Create(IEnumerable<string> names, ItemFlags flags = ItemFlags.None)
    {
        ArgumentNullException.ThrowIfNull(names);
        Builder list = new();
        foreach (string name in names)
        {
            if (!list.TryAdd(name, flags))
                throw new ArgumentException($"name \"{PrintableText.From(name)}\" must be 1 to {MaxNameBytes} bytes", nameof(names));
        }

        return list.Build();
    }

    /// <summary>Creates a list of items that are numbered from 1: a prefix and their number.</summary>
    /// <param name="prefix">The prefix.</param>
    /// <param name="count">Number of items, 0 or more.</param>
    /// <exception cref="ArgumentException">A name would have more than 255 bytes of UTF-8.</exception>
    public static ItemList CreateNumbered(string prefix, int count)
    {
        const int maxDigits = 10;
        ArgumentNullException.ThrowIfNull(prefix);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        int prefixBytes = Encoding.UTF8.GetByteCount(prefix);
        Span<byte> room = stackalloc byte[MaxNameBytes];
        byte[] names = new byte[count * Math.Min(prefixBytes + maxDigits, MaxNameBytes)];
        int[] ends = new int[count];
        int end = 0;
        for (int item = 0; item < count; item++)
        {
            if (!Utf8.TryWrite(room, CultureInfo.InvariantCulture, $"{prefix}{item + 1}", out int written))
                throw new ArgumentException($"a name of {count} items must be 1 to {MaxNameBytes} bytes", nameof(prefix));
            room[..written].CopyTo(names.AsSpan(end));
            ends[item] = end += written;
        }

        return new(names.AsSpan(0, end).ToArray(), ends, new ItemFlags[count]);
    }

    /// <summary>Returns the name of an item, 1 to 255 bytes of UTF-8.</summary>
    public ReadOnlySpan<byte> NameOf(int item)
    {
        int start = item == 0 ? 0 : _nameEnds[item - 1];
        return _names.AsSpan(start, _nameEnds[item] - start);
    }

    /// <summary>Returns the uses of an item.</summary>
    public ItemFlags FlagsOf(int item) => _flags[item];

    private int CountOf(ItemFlags flag) => _flags.Count(flags => (flags & flag) != 0);

    /// <summary>Collects items one by one; its arrays grow with the items added, never in advance by a count of a file.</summary>
    internal sealed class Builder
    {
        private readonly List<int> _nameEnds = [];
        private readonly List<ItemFlags> _flags = [];
        private byte[] _names = new byte[4096];
        private int _nameBytes;

        public int Count => _flags.Count;

        /// <summary>Adds an item; false when the name is empty or longer than 255 bytes.</summary>
        public bool TryAdd(string name, ItemFlags flags)
        {
            if (_names.Length - _nameBytes < MaxNameBytes)
                Array.Resize(ref _names, _names.Length * 2);
            if (!Encoding.UTF8.TryGetBytes(name, _names.AsSpan(_nameBytes, MaxNameBytes), out int written) || written == 0)
                return false;

            _nameBytes += written;
            _nameEnds.Add(_nameBytes);
            _flags.Add(flags);
            return true;
        }

        /// <summary>Returns the first item of a name that was added.</summary>
        public int IndexOf(string name)
        {
            ReadOnlySpan<byte> bytes = Encoding.UTF8.GetBytes(name);
            int item = 0;
            for (int start = 0; !_names.AsSpan(start, _nameEnds[item] - start).SequenceEqual(bytes); item++)
                start = _nameEnds[item];
            return item;
        }

        public ItemList Build() => new(_names.AsSpan(0, _nameBytes).ToArray(), [.. _nameEnds], [.. _flags]);
    }
}

#pragma warning disable CA1711 // these are flags, and every item has a set of them
/// <summary>Uses of an item of the list besides its updates.</summary>
[Flags]
public enum ItemFlags : byte
{
    /// <summary>Updates only.</summary>
    None = 0,

    /// <summary>The consumer may post to it.</summary>
    Post = 1,

    /// <summary>Generic messages are sent on its stream.</summary>
    GenMsg = 2,

    /// <summary>It is requested once, without subsequent updates.</summary>
    Snapshot = 4,

    /// <summary>Its domain is market by order: its messages are maps of field lists, one for each order. Else it is market price.</summary>
    MarketByOrder = 8,

    /// <summary>It is requested on a private stream; to its provider this is another item than the common one of that name.</summary>
    PrivateStream = 16,
}
#pragma warning restore CA1711

/// <summary>Determines the domain of an item.</summary>
internal static class ItemDomain
{
    public static DomainType Of(ItemFlags flags) =>
        (flags & ItemFlags.MarketByOrder) != 0 ? DomainType.MarketByOrder : DomainType.MarketPrice;
}
