using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The services for which a consumer puts the hub on standby, as threads notify each other.</summary>
public class StandbyPartsTests
{
    private readonly StandbyParts _parts = new();

    [Fact]
    public void Set_OfServices_IsTheirPartUnlessTheLoginSaysIt()
    {
        Assert.True(_parts.Set(7, isStandby: true));
        Assert.False(_parts.Set(7, isStandby: true));
        Assert.Equal((true, false, true), (_parts.Includes(7), _parts.Includes(8), _parts.IsAny));
        Assert.True(_parts.SetLogin(isStandby: true));
        Assert.False(_parts.Set(8, isStandby: true)); // it stands by for all of them already
        Assert.True(_parts.SetLogin(isStandby: false));
        Assert.Equal((true, true, false), (_parts.Includes(7), _parts.Includes(8), _parts.Includes(9)));
        Assert.True(_parts.Set(7, isStandby: false) && _parts.Set(8, isStandby: false));
        Assert.False(_parts.IsAny);
    }

    [Theory]
    [InlineData(StandbyParts.AllServices, 7, true, true)]
    [InlineData(StandbyParts.AllServices, 8, true, false)]
    [InlineData(7, 7, true, true)]
    [InlineData(8, 7, false, true)]
    [InlineData(8, 8, true, false)]
    public void IsChanged_OfARecord_IsWhatWasWritten(ushort changed, ushort serviceId, bool isChanged, bool isStandby)
    {
        _parts.Set(5, isStandby: true);
        _parts.Set(7, isStandby: true);
        byte[] room = new byte[StandbyParts.MaxBytes];
        _parts.Begin(changed, [1]);
        ReadOnlySpan<byte> record = room.AsSpan(0, _parts.Write(room));
        Assert.Equal((isChanged, isStandby), (StandbyParts.IsChanged(record, serviceId, out bool read), read));
    }

    [Fact]
    public void Set_MoreServicesThanAreKept_StayActive()
    {
        for (ushort service = 1; service <= 100; service++)
            Assert.Equal(service <= 64, _parts.Set(service, isStandby: true));
        Assert.Equal((true, false), (_parts.Includes(64), _parts.Includes(65)));
        Assert.Equal(StandbyParts.MaxBytes, _parts.Write(new byte[StandbyParts.MaxBytes]));
    }

    [Fact]
    public void Begin_OfStreams_GoesThroughThemUnlessItIsEnded()
    {
        Assert.False(_parts.IsChanging);
        _parts.Begin(7, []);
        Assert.False(_parts.IsChanging);
        _parts.Begin(7, [3, 5]);
        Assert.Equal((true, 3), (_parts.IsChanging, _parts.NextStream));
        _parts.MoveNext();
        Assert.Equal((true, 5), (_parts.IsChanging, _parts.NextStream));
        _parts.MoveNext();
        Assert.False(_parts.IsChanging);
        _parts.Begin(7, [3]);
        _parts.End();
        Assert.False(_parts.IsChanging);
    }
}
