using System.Runtime.InteropServices;
using System.Text;

namespace PerfTools.Export;

/// <summary>Writes structs in Thrift's compact protocol, in which Parquet describes itself.</summary>
internal sealed class ThriftCompact
{
    private const int Int32Type = 5, Int64Type = 6, TextType = 8, ListType = 9, StructType = 12;
    private const int ShortList = 15;
    private const int TypeBits = 4;

    private readonly List<byte> _bytes = [];
    private readonly Stack<int> _outer = new(); // the last field of each enclosing struct
    private int _last;

    /// <summary>The bytes written so far.</summary>
    public ReadOnlySpan<byte> Bytes => CollectionsMarshal.AsSpan(_bytes);

    public ThriftCompact Int32(int field, int value)
    {
        Begin(field, Int32Type);
        WriteSigned(value);
        return this;
    }

    public ThriftCompact Int64(int field, long value)
    {
        Begin(field, Int64Type);
        WriteSigned(value);
        return this;
    }

    public ThriftCompact Text(int field, string value)
    {
        Begin(field, TextType);
        WriteText(value);
        return this;
    }

    /// <summary>Writes a struct within this one.</summary>
    public ThriftCompact Struct(int field, Action write)
    {
        Begin(field, StructType);
        WriteStruct(write);
        return this;
    }

    public ThriftCompact Structs(int field, int count, Action<int> write)
    {
        BeginList(field, count, StructType);
        for (int i = 0; i < count; i++)
        {
            int number = i;
            WriteStruct(() => write(number));
        }

        return this;
    }

    public ThriftCompact Int32s(int field, params ReadOnlySpan<int> values)
    {
        BeginList(field, values.Length, Int32Type);
        foreach (int value in values)
            WriteSigned(value);
        return this;
    }

    public ThriftCompact Texts(int field, params ReadOnlySpan<string> values)
    {
        BeginList(field, values.Length, TextType);
        foreach (string value in values)
            WriteText(value);
        return this;
    }

    /// <summary>Ends the outermost struct.</summary>
    public ThriftCompact End()
    {
        _bytes.Add(0);
        return this;
    }

    private void WriteStruct(Action write)
    {
        _outer.Push(_last);
        _last = 0;
        write();
        End();
        _last = _outer.Pop();
    }

    // Field numbers ascend, by fifteen at most from one to the next.
    private void Begin(int field, int type)
    {
        _bytes.Add((byte)(((field - _last) << TypeBits) | type));
        _last = field;
    }

    private void BeginList(int field, int count, int type)
    {
        Begin(field, ListType);
        _bytes.Add((byte)((Math.Min(count, ShortList) << TypeBits) | type));
        if (count >= ShortList)
            WriteUnsigned((ulong)count);
    }

    private void WriteText(string value)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(value);
        WriteUnsigned((ulong)bytes.Length);
        _bytes.AddRange(bytes);
    }

    // Zigzag: the sign is the lowest bit.
    private void WriteSigned(long value) => WriteUnsigned((ulong)((value << 1) ^ (value >> 63)));

    private void WriteUnsigned(ulong value)
    {
        for (; value >= 0x80; value >>= 7)
            _bytes.Add((byte)(value | 0x80));
        _bytes.Add((byte)value);
    }
}
