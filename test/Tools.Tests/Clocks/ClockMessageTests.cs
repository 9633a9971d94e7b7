using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>The datagram of a probe: 96 bytes, sealed.</summary>
public sealed class ClockMessageTests : IDisposable
{
    private static readonly ClockMessage Probe = new(ClockMessageKind.Probe, new UInt128(1, 2), 3, -4, 5, 6, 7);

    private readonly ClockSeal _seal = new(new byte[32]);

    [Fact]
    public void TryRead_MessageThatWasWritten_IsTheSame()
    {
        byte[] bytes = Write();
        Assert.Equal("PTCK", System.Text.Encoding.ASCII.GetString(bytes, 0, 4));
        Assert.True(ClockMessage.TryRead(bytes, ClockMessageKind.Probe, _seal, out ClockMessage read));
        Assert.Equal(Probe, read);
    }

    [Fact]
    public void TryRead_EveryByteDamaged_IsRefused()
    {
        for (int i = 0; i < 80; i++) // zeros follow
        {
            byte[] bytes = Write();
            bytes[i] ^= 0x10;
            Assert.False(ClockMessage.TryRead(bytes, ClockMessageKind.Probe, _seal, out _), $"byte {i}");
        }
    }

    [Fact]
    public void TryRead_OtherKeyKindOrLength_IsRefused()
    {
        byte[] bytes = Write();
        using ClockSeal other = new([.. new byte[31], 1]);
        Assert.False(ClockMessage.TryRead(bytes, ClockMessageKind.Probe, other, out _));
        Assert.False(ClockMessage.TryRead(bytes, ClockMessageKind.Answer, _seal, out _));
        for (int length = 0; length < bytes.Length; length++)
            Assert.False(ClockMessage.TryRead(bytes.AsSpan(0, length), ClockMessageKind.Probe, _seal, out _));
        Assert.False(ClockMessage.TryRead([.. bytes, 0], ClockMessageKind.Probe, _seal, out _));
    }

    [Fact]
    public void Incarnation_HostSuspended_IsAnotherOfTheSameClock()
    {
        long suspended = 0;
        ClockIncarnation clock = new(0xABCD_0000, () => suspended);
        ulong first = clock.Current;
        suspended = 50_000_000; // two reads that a busy machine had far apart
        Assert.Equal(first, clock.Current);
        suspended = 5_000_000_000;
        Assert.NotEqual(first, clock.Current);
        Assert.True(ClockIncarnation.AreOneClock(first, clock.Current));
        Assert.False(ClockIncarnation.AreOneClock(first, new ClockIncarnation(0xABCE_0000, () => 0).Current));
    }

    [Fact]
    public void Identify_OneSalt_NamesTheClockAlikeAndNothingElse()
    {
        string name = ClockIncarnation.Identify("run 7");
        Assert.Matches("^[0-9a-f]{16}$", name);
        Assert.Equal(OperatingSystem.IsLinux(), name == ClockIncarnation.Identify("run 7"));
        Assert.NotEqual(name, ClockIncarnation.Identify("run 8"));
    }

    public void Dispose() => _seal.Dispose();

    private byte[] Write()
    {
        byte[] bytes = new byte[ClockMessage.Bytes];
        Probe.Write(bytes, _seal);
        return bytes;
    }
}
