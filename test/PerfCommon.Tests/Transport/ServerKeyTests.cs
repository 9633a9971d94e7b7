using System.Buffers.Binary;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public class ServerKeyTests
{
    private const byte Mark = 0x02; // any byte before type and length; the ack checks it

    private static readonly ServerKey Sample = new(Modulus: 23, Base: 5, PublicKey: 8);

    [Fact]
    public void Create_ManyTimes_IsUsableAndEachItsOwn()
    {
        ServerKey[] keys = [.. Enumerable.Range(0, 100).Select(_ => ServerKey.Create())];
        Assert.All(keys, key =>
        {
            Assert.True(key.IsUsable && key.Modulus % 2 == 1 && key.Modulus >= 1ul << 62 && key.Base == 5);
            Assert.InRange(key.PublicKey, 0ul, key.Modulus - 1);
        });
        Assert.Equal(keys.Length, keys.Distinct().Count());
    }

    [Theory]
    [InlineData(0ul, false)]
    [InlineData(1ul, true)]
    [InlineData(long.MaxValue, true)]
    [InlineData(1ul << 63, false)]
    [InlineData(ulong.MaxValue, false)]
    public void IsUsable_Modulus_IsFromOneToWhatBothReferencesTake(ulong modulus, bool isUsable) =>
        Assert.Equal(isUsable, (Sample with { Modulus = modulus }).IsUsable);

    [Fact]
    public void TryRead_WhatWasWritten_IsTheKeyAndLeavesWhatFollows()
    {
        byte[] room = new byte[40];
        int bytes = Sample.Write(room);
        Assert.Equal("0118000000000000001700000000000000050000000000000008", Convert.ToHexStringLower(room.AsSpan(0, bytes)));
        ReadOnlySpan<byte> rest = (byte[])[Mark, .. room[..bytes], 7];
        Assert.True(ServerKey.TryRead(ref rest, out ServerKey? key));
        Assert.Equal(Sample, key);
        Assert.Equal([7], rest.ToArray());
    }

    [Fact]
    public void TryRead_UnknownType_IsNoKeyAndSteppedOver()
    {
        ReadOnlySpan<byte> rest = [Mark, 9, 3, 1, 2, 3, 7];
        Assert.True(ServerKey.TryRead(ref rest, out ServerKey? key));
        Assert.Null(key);
        Assert.Equal([7], rest.ToArray());
    }

    [Theory]
    [InlineData("020117000000000000001700000000000000050000000000000008")] // its own length is one byte too small
    [InlineData("02011800000000000000170000000000000005")] // truncated
    [InlineData("0201")]
    public void TryRead_WrongLength_IsRefused(string hex)
    {
        ReadOnlySpan<byte> rest = Convert.FromHexString(hex);
        Assert.False(ServerKey.TryRead(ref rest, out _));
    }

    [Fact]
    public void WriteAnswer_KnownKey_IsAPowerOfTheBase()
    {
        ulong[] powers =
            [.. Enumerable.Range(0,
                22).Select(exponent => Enumerable.Repeat(5ul, exponent).Aggregate(1ul, (power, five) => power * five % 23))];
        byte[] room = new byte[ServerKey.ClientKeyBytes];
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal(ServerKey.ClientKeyBytes, ServerKey.WriteAnswer(room, Sample));
            Assert.Equal("000c0808", Convert.ToHexStringLower(room.AsSpan(0, 4)));
            Assert.Contains(BinaryPrimitives.ReadUInt64BigEndian(room.AsSpan(4)), powers);
        }
    }

    [Fact]
    public void WriteAnswer_NoKnownKey_IsEmpty()
    {
        byte[] room = new byte[ServerKey.ClientKeyBytes];
        Assert.Equal(ServerKey.EmptyClientKeyBytes, ServerKey.WriteAnswer(room, key: null));
        Assert.Equal("00040800", Convert.ToHexStringLower(room.AsSpan(0, 4)));
    }

    [Fact]
    public void WriteAnswer_SmallestModulus_IsZero()
    {
        byte[] room = new byte[ServerKey.ClientKeyBytes];
        ServerKey.WriteAnswer(room, Sample with { Modulus = 1 });
        Assert.Equal(0ul, BinaryPrimitives.ReadUInt64BigEndian(room.AsSpan(4)));
    }
}
