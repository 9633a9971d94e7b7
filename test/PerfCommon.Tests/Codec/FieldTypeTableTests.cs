using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public class FieldTypeTableTests
{
    [Fact]
    public void TypeOf_IdsOfBothSigns_AreTold()
    {
        FieldTypeTable types =
            new([(short.MinValue, DataType.Int), (-1, DataType.Real), (1, DataType.Date), (short.MaxValue, DataType.Time)]);

        Assert.Equal([DataType.Int, DataType.Real, DataType.Unknown, DataType.Date, DataType.Time],
            new short[] { short.MinValue, -1, 0, 1, short.MaxValue }.Select(types.TypeOf));
    }
}
