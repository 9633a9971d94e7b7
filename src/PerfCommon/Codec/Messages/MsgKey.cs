using System.Diagnostics;
using System.Text;

namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a message key.</summary>
internal static class MsgKeyFlags // wire/rwf 2.10
{
    public const int HasServiceId = 0x01;
    public const int HasName = 0x02;
    public const int HasNameType = 0x04; // when there is a name
    public const int HasFilter = 0x08;
    public const int HasIdentifier = 0x10;
    public const int HasAttrib = 0x20;
}

/// <summary>Key of a message: identifies the data of the stream.</summary>
/// <remarks>A member counts only when its bit is in <see cref="Flags"/>. Borrows the message it was read from.</remarks>
[DebuggerDisplay("service {ServiceId}, name {NameText}")]
public ref struct MsgKey
{
    /// <summary>Bits of <see cref="MsgKeyFlags"/>.</summary>
    public int Flags { get; set; }

    /// <summary>Id of the service.</summary>
    public ushort ServiceId { get; set; }

    /// <summary>Name, at most 255 bytes.</summary>
    public ReadOnlySpan<byte> Name { get; set; }

    /// <summary>Type of the name.</summary>
    public byte NameType { get; set; } // wire/rwf 2.10

    /// <summary>Filter of the domain.</summary>
    public uint Filter { get; set; }

    /// <summary>Identifier.</summary>
    public int Identifier { get; set; }

    /// <summary>Container type of <see cref="Attrib"/>.</summary>
    public DataType AttribType { get; set; }

    /// <summary>Attribute container, at most 32,767 bytes.</summary>
    public ReadOnlySpan<byte> Attrib { get; set; }

    /// <summary>True when the key has the member of this bit.</summary>
    /// <param name="flag">One of <see cref="MsgKeyFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    private readonly string NameText => Encoding.UTF8.GetString(Name);

    // wire/rwf 2.10
    internal static MsgKey Read(scoped ref RwfReader header)
    {
        RwfReader reader = new(header.ReadBuf15());
        MsgKey key = default;
        if (!header.Good)
            return key;

        key.Flags = reader.ReadRb15();
        if (key.Has(MsgKeyFlags.HasServiceId))
            key.ServiceId = (ushort)reader.ReadU16ob();
        if (key.Has(MsgKeyFlags.HasName))
        {
            key.Name = reader.ReadBuf8();
            if (key.Has(MsgKeyFlags.HasNameType))
                key.NameType = reader.ReadByte();
        }

        if (key.Has(MsgKeyFlags.HasFilter))
            key.Filter = reader.ReadUInt32();
        if (key.Has(MsgKeyFlags.HasIdentifier))
            key.Identifier = (int)reader.ReadUInt32();
        if (key.Has(MsgKeyFlags.HasAttrib))
        {
            key.AttribType = DataTypes.FromScaled(reader.ReadByte());
            if (key.AttribType != DataType.NoData) // wire/rwf 2.10
                key.Attrib = reader.ReadBuf15();
        }

        if (!reader.Good) // wire/rwf 9.1
            header.Fail(reader.Result);
        return key;
    }
}

public ref partial struct RwfWriter
{
    // wire/rwf 2.10
    private void PutKeyMembers(scoped in MsgKey key, out int keySizeAt)
    {
        keySizeAt = _position;
        Reserve(ReservedBuf15);
        PutRb15(key.Flags);
        if (key.Has(MsgKeyFlags.HasServiceId))
            PutU16ob(key.ServiceId);
        if (key.Has(MsgKeyFlags.HasName))
        {
            PutBuf8(key.Name);
            if (key.Has(MsgKeyFlags.HasNameType))
                PutByte(key.NameType);
        }

        if (key.Has(MsgKeyFlags.HasFilter))
            PutUInt32(key.Filter);
        if (key.Has(MsgKeyFlags.HasIdentifier))
            PutUInt32((uint)key.Identifier);
        if (!key.Has(MsgKeyFlags.HasAttrib))
            return;
        if (!DataTypes.IsContainer(key.AttribType) || key.AttribType == DataType.NoData)
            Fail(EncodeProblem.InvalidValue); // wire/rwf 2.10
        PutByte(DataTypes.ToScaled(key.AttribType));
    }

    private void CloseKey(int keySizeAt)
    {
        int size = Limit(_position - keySizeAt - ReservedBuf15, LengthMark.MaxRb15);
        PatchUInt16(keySizeAt, size | 0x8000); // wire/rwf 2.10
    }
}
