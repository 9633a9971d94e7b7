using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public class FieldViewTests
{
    [Fact]
    public void View_AnyOrderAndTwice_IsASet()
    {
        FieldView view = new(25, -6, 25, 22);
        Assert.Equal([-6, 22, 25], view.FieldIds.ToArray());
        Assert.Equal(3, view.Count);
        Assert.True(view.Contains(-6) && view.Contains(25));
        Assert.False(view.Contains(6) || view.Contains(22 + 64));
    }

    [Fact]
    public void Equals_SameFields_HoldsWhateverTheOrder()
    {
        Assert.Equal(new FieldView(1, 2), new FieldView(2, 1, 1));
        Assert.Equal(new FieldView(1, 2).GetHashCode(), new FieldView(2, 1).GetHashCode());
        Assert.NotEqual(new FieldView(1, 2), new FieldView(1, 3));
        Assert.False(new FieldView(1).Equals(null));
    }

    [Fact]
    public void WithAndIncludes_TwoViews_AreUnionAndSubset()
    {
        FieldView both = new FieldView(1, 2).With(new FieldView(2, 3));
        Assert.Equal(new FieldView(1, 2, 3), both);
        Assert.True(both.Includes(new FieldView(1, 3)));
        Assert.False(new FieldView(1, 2).Includes(both));
    }
}
