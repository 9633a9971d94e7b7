using System.Globalization;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Types of set definitions: the name of each tells its basic type and the bytes of its values.</summary>
public class DataTypesTests
{
    public static TheoryData<DataType> SetTypes => [.. Enum.GetValues<DataType>().Where(type => (byte)type is >= 64 and < 128)];

    public static TheoryData<DataType> OtherTypes => [.. Enum.GetValues<DataType>().Where(type => (byte)type is < 64 or >= 128)];

    [Theory, MemberData(nameof(SetTypes))]
    public void SetType_Any_HasTheBytesAndTheBasicTypeOfItsName(DataType type)
    {
        string name = type.ToString();
        bool isSizedReal = name.EndsWith("RB", StringComparison.Ordinal); // at most that number of bytes: the first is the length
        string basic = name.TrimEnd('R', 'B').TrimEnd([.. "0123456789"]);
        int bytes = int.Parse(name.TrimEnd('R', 'B')[basic.Length..], CultureInfo.InvariantCulture);
        Assert.Equal(Enum.Parse<DataType>(basic), DataTypes.BaseOf(type));
        Assert.Equal(DataTypes.BaseOf(type), DataTypes.BaseOf((byte)type));
        Assert.Equal(isSizedReal ? 0 : bytes, DataTypes.FixedSizeOf(type));
        Assert.Equal(isSizedReal, DataTypes.IsSizedReal(type));
    }

    [Theory, MemberData(nameof(OtherTypes))]
    public void OtherType_Any_IsItsOwnBasicTypeWithoutFixedSize(DataType type)
    {
        Assert.Equal(type, DataTypes.BaseOf(type));
        Assert.Equal((0, false), (DataTypes.FixedSizeOf(type), DataTypes.IsSizedReal(type)));
        bool isContainer = (byte)type >= 128;
        Assert.Equal((isContainer, !isContainer && type != DataType.Unknown), (DataTypes.IsContainer(type), DataTypes.IsPrimitive(type)));
        Assert.Equal(!isContainer && type is not (DataType.Unknown or DataType.Array), DataTypes.IsSimple(type));
    }

    [Theory]
    [InlineData(1, DataType.Int)]
    [InlineData(2, DataType.UInt)]
    [InlineData(7, DataType.Real)]
    public void BaseOf_CodeOfOldPeers_IsTheTypeOfToday(byte code, DataType type) => Assert.Equal(type, DataTypes.BaseOf(code));

    [Theory]
    [InlineData(DataType.Buffer, true)]
    [InlineData(DataType.AsciiString, true)]
    [InlineData(DataType.Utf8String, true)]
    [InlineData(DataType.RmtesString, true)]
    [InlineData(DataType.Array, false)]
    [InlineData(DataType.Int1, false)]
    public void IsBytes_Type_IsTrueForTextsAndBuffers(DataType type, bool expected) => Assert.Equal(expected, DataTypes.IsBytes(type));

    [Theory]
    [InlineData(0, DataType.NoData)]
    [InlineData(4, DataType.FieldList)]
    [InlineData(127, (DataType)255)]
    [InlineData(128, DataType.Unknown)]
    [InlineData(255, DataType.Unknown)]
    public void FromScaled_ByteOfAHeader_IsAContainerOrUnknown(byte scaled, DataType type)
    {
        Assert.Equal(type, DataTypes.FromScaled(scaled));
        if (type != DataType.Unknown)
            Assert.Equal(scaled, DataTypes.ToScaled(type));
    }
}
