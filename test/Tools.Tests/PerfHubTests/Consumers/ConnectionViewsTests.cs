using PerfCommon.Codec;
using PerfHub.Cache;
using PerfHub.Consumers;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>The views of one connection and of all: each distinct one once, as long as a stream has it.</summary>
[Trait("Category", "Fast")]
public sealed class ConnectionViewsTests
{
    private const int OverheadBytes = 128;

    private readonly ViewTable _table = new();
    private readonly ConnectionViews _views;

    public ConnectionViewsTests() => _views = new ConnectionViews(_table);

    [Fact]
    public void Enter_OfTheSameView_IsOneNumberUntilTheLastLeaves()
    {
        for (int round = 0; round < 1_000; round++)
        {
            byte number = _views.Enter(new FieldView(1, 2, 3));
            Assert.Equal((1, number, number), (number, _views.Enter(new FieldView(3, 2, 1)), _views.Enter(new FieldView(1, 2, 3))));
            Assert.Equal((1, OverheadBytes + 6), (_table.Count, _views.KeptBytes));
            int id = _views.IdOf(number);
            Assert.Equal((1, new FieldView(1, 2, 3)), (id, _table.Find(id)));
            _views.Leave(number);
            _views.Leave(number);
            Assert.Equal((1, id), (_table.Count, _views.IdOf(number)));
            _views.Leave(number);
            Assert.Equal((0, 0, 0, null), (_table.Count, _views.KeptBytes, _views.IdOf(number), _table.Find(id)));
        }
    }

    [Fact]
    public void Enter_OfNoView_IsNone()
    {
        Assert.Equal((0, 0, 0), (_views.Enter(null), _views.IdOf(ConnectionViews.None), _table.Count));
        _views.Leave(ConnectionViews.None);
        Assert.Equal(1, _views.Enter(new FieldView(1)));
        Assert.Equal(OverheadBytes + 2, _views.KeptBytes);
    }

    [Fact]
    public void Enter_OfSeveralConnections_SharesTheNumberForOtherThreads()
    {
        ConnectionViews other = new(_table);
        _views.Enter(new FieldView(9));
        byte mine = _views.Enter(new FieldView(1)), theirs = other.Enter(new FieldView(1));
        Assert.Equal((2, 1, 2), (mine, theirs, _table.Count));
        Assert.Equal(_views.IdOf(mine), other.IdOf(theirs));
        _views.Leave(mine);
        Assert.Equal(new FieldView(1), _table.Find(other.IdOf(theirs)));
        other.Leave(theirs);
        Assert.Equal(1, _table.Count);
    }

    /// <summary>A connection has 255 distinct views; a stream beyond them receives all fields.</summary>
    [Fact]
    public void Enter_OfMoreViewsThanNumbers_IsNoneUntilOneIsFree()
    {
        for (int round = 0; round < 3; round++)
        {
            byte[] numbers = [.. Enumerable.Range(0, 255).Select(i => _views.Enter(new FieldView((short)i)))];
            Assert.Equal(Enumerable.Range(1, 255), numbers.Select(number => (int)number).Order());
            Assert.Equal(ConnectionViews.None, _views.Enter(new FieldView(999)));
            Assert.Equal((numbers[4], 255), (_views.Enter(new FieldView(4)), _table.Count)); // a known one
            _views.Leave(numbers[4]);
            _views.Leave(numbers[7]);
            Assert.Equal(numbers[7], _views.Enter(new FieldView(999)));
            foreach (byte number in numbers)
                _views.Leave(number);
            Assert.Equal((0, 0), (_table.Count, _views.KeptBytes));
        }
    }

    /// <summary>The fields of all views of a connection are 262,144 at most.</summary>
    [Theory]
    [InlineData(32_768, true)]
    [InlineData(32_769, false)]
    public void Enter_AtTheMaximumOfFields_IsTakenUpToIt(int fields, bool isTaken)
    {
        for (int i = 0; i < 7; i++)
            Assert.NotEqual(ConnectionViews.None, _views.Enter(View(32_767 + 1, from: i - 7)));
        Assert.Equal((7 * OverheadBytes) + (7 * 32_768 * 2), _views.KeptBytes);
        Assert.Equal(isTaken, _views.Enter(View(fields, from: 100)) != ConnectionViews.None);
        Assert.Equal(isTaken ? 8 : 7, _table.Count);
        Assert.Equal(isTaken, _views.Enter(new FieldView(5)) == ConnectionViews.None);
    }

    [Fact]
    public void Table_OfMoreViewsThanItsPlaces_KeepsEach()
    {
        int[] ids = [.. Enumerable.Range(0, 100).Select(i => _table.Enter(new FieldView((short)i)))];
        Assert.Equal(Enumerable.Range(1, 100), ids);
        Assert.All(ids, id => Assert.Equal(new FieldView((short)(id - 1)), _table.Find(id)));
        Assert.Null(_table.Find(0));
        _table.Leave(17);
        Assert.Null(_table.Find(17));
        Assert.Equal((17, 101), (_table.Enter(new FieldView(500)), _table.Enter(new FieldView(501))));
    }

    private static FieldView View(int fields, int from) => new(Enumerable.Range(from, fields).Select(id => (short)id));
}
