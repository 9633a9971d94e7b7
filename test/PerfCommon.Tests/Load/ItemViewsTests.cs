using PerfCommon.Codec;
using PerfCommon.Load;
using Xunit;

namespace PerfCommon.Tests.Load;

/// <summary>The views of a connection's items: equal ones share a number, and what is beyond a limit gets all fields.</summary>
public sealed class ItemViewsTests
{
    private const int MaxViews = 256;

    private readonly ItemViews _views = new();

    [Fact]
    public void Set_EqualViews_ShareANumberUntilTheLastIsGone()
    {
        _views.Set(3, new FieldView(6, 22));
        _views.Set(9, new FieldView(6, 22));
        Assert.Equal((1, 1, 1), (_views.Count, _views.NumberOf(3), _views.NumberOf(9)));
        _views.Set(3, null);
        Assert.Equal((1, ItemViews.None, 1), (_views.Count, _views.NumberOf(3), _views.NumberOf(9)));
        Assert.Equal(new FieldView(22, 6), _views.Of(9));
        _views.Set(9, null);
        Assert.Equal((0, ItemViews.None), (_views.Count, _views.NumberOf(9)));
        Assert.Null(_views.Of(9));
    }

    [Fact]
    public void Set_OneViewAfterTheOther_UsesOneNumber()
    {
        for (short field = 1; field < 100; field++)
        {
            _views.Set(0, null);
            _views.Set(0, new FieldView(field));
            Assert.Equal((1, 1, 2), (_views.Count, _views.NumberOf(0), _views.NumberLimit));
            Assert.Equal(new FieldView(field), _views[1]);
        }
    }

    [Fact]
    public void Set_ReplacedByAnEqualView_KeepsIt()
    {
        _views.Set(0, new FieldView(6));
        _views.Set(0, new FieldView(6));
        Assert.Equal((1, new FieldView(6)), (_views.Count, _views.Of(0)));
        _views.Set(0, null);
        Assert.Equal(0, _views.Count);
    }

    [Fact]
    public void Set_MoreViewsThanTheLimit_GivesTheRestAllFieldsUntilSomeAreGone()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int slot = 0; slot <= MaxViews; slot++)
                _views.Set(slot, new FieldView((short)(slot + 1)));
            Assert.Equal((MaxViews, MaxViews + 1), (_views.Count, _views.NumberLimit));
            Assert.Equal(new FieldView(MaxViews), _views.Of(MaxViews - 1));
            Assert.Null(_views.Of(MaxViews));
            _views.Set(MaxViews, new FieldView(1)); // another item with a view that is there
            Assert.Equal(_views.NumberOf(0), _views.NumberOf(MaxViews));
            for (int slot = 0; slot <= MaxViews; slot++)
                _views.Set(slot, null);
            Assert.Equal(0, _views.Count);
        }
    }

    [Fact]
    public void Set_MoreFieldsThanTheLimit_GivesTheRestAllFieldsUntilSomeAreGone()
    {
        const int FieldsOfOne = 32 * 1024;
        for (int round = 0; round < 2; round++)
        {
            for (int slot = 0; slot < 8; slot++)
                _views.Set(slot, Large(slot));
            _views.Set(8, new FieldView(1));
            Assert.Equal((8, FieldsOfOne), (_views.Count, _views.Of(7)!.Count));
            Assert.Null(_views.Of(8));
            _views.Set(2, null);
            _views.Set(8, new FieldView(1));
            Assert.Equal((8, new FieldView(1)), (_views.Count, _views.Of(8)));
            for (int slot = 0; slot <= 8; slot++)
                _views.Set(slot, null);
        }

        static FieldView Large(int slot) => new([.. Enumerable.Range(slot, FieldsOfOne).Select(field => (short)field)]);
    }
}
