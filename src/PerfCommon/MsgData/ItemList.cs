using System.Text;

namespace PerfCommon.MsgData;

/// <summary>The items of a run in the order of their file: names as bytes, and what each is used for.</summary>
/// <remarks>All names lie in one array: 100,000 items take about 1.4 MB. Immutable, so threads may share it.</remarks>
public sealed class ItemList
{
    /// <summary>Longest name of an item in bytes of UTF-8.</summary>
    public const int MostNameBytes = 255;

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

    /// <summary>How many items were read.</summary>
    public int Count => _flags.Length;

    /// <summary>How many of them may be posted to.</summary>
    public int PostCount { get; }

    /// <summary>How many of them get generic messages.</summary>
    public int GenMsgCount { get; }

    /// <summary>Reads the first <paramref name="count"/> items of a file; what follows them is not looked at.</summary>
    /// <param name="path">The file, as <see cref="InputFile.Find(string)"/> finds it.</param>
    /// <param name="count">Items needed, 0 or more.</param>
    /// <exception cref="SetupException">No such file, an error in it (with line and item number), or too few items.</exception>
    public static ItemList Load(string path, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        return ItemListReader.Read(InputFile.Find(path), count);
    }

    /// <summary>Makes a list of names.</summary>
    /// <param name="names">1 to 255 bytes of UTF-8 each.</param>
    public static ItemList Create(IEnumerable<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        byte[][] all = [.. names.Select(Encoding.UTF8.GetBytes)];
        int end = 0;
        return new ItemList([.. all.SelectMany(name => name)], [.. all.Select(name => end += name.Length)], new ItemFlags[all.Length]);
    }

    /// <summary>The name of an item, 1 to 255 bytes of UTF-8.</summary>
    public ReadOnlySpan<byte> NameOf(int item)
    {
        int start = item == 0 ? 0 : _nameEnds[item - 1];
        return _names.AsSpan(start, _nameEnds[item] - start);
    }

    /// <summary>What an item is used for.</summary>
    public ItemFlags FlagsOf(int item) => _flags[item];

    private int CountOf(ItemFlags flag)
    {
        int count = 0;
        foreach (ItemFlags flags in _flags)
            count += (flags & flag) != 0 ? 1 : 0;
        return count;
    }

    /// <summary>Collects items one by one; its arrays grow with what was added, never ahead of it by a count of a file.</summary>
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
            if (_names.Length - _nameBytes < MostNameBytes)
                Array.Resize(ref _names, _names.Length * 2);
            if (!Encoding.UTF8.TryGetBytes(name, _names.AsSpan(_nameBytes, MostNameBytes), out int written) || written == 0)
                return false;

            _nameBytes += written;
            _nameEnds.Add(_nameBytes);
            _flags.Add(flags);
            return true;
        }

        public ItemList Build() => new(_names.AsSpan(0, _nameBytes).ToArray(), [.. _nameEnds], [.. _flags]);
    }
}
